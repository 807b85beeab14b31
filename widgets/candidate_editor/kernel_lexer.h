// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qscilexercpp.h>

namespace kw {

/// C++ with CUDA's, OpenMP's and our own words. Colours come from the palette by colourCode(). Window thread.
class KernelLexer : public QsciLexerCPP {
    Q_OBJECT
public:
    explicit KernelLexer(QObject* parent);

    const char* keywords(int set) const override;
};

} // namespace kw
