// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// The parts of a report, in one format. Every text is plain text; the writer escapes it. Pictures are finished SVG of ours.
class ReportWriter {
public:
    virtual ~ReportWriter() = default;
    virtual void title(const std::string& text) = 0;
    virtual void heading(const std::string& text) = 0;
    virtual void paragraph(const std::string& text) = 0;
    virtual void warning(const std::string& text) = 0;
    virtual void item(const std::string& text) = 0;
    virtual void table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) = 0;
    virtual void code(const std::string& text) = 0;
    virtual void picture(const std::string& svg) = 0;
};

class MarkdownWriter final : public ReportWriter {
public:
    void title(const std::string& text) override;
    void heading(const std::string& text) override;
    void paragraph(const std::string& text) override;
    void warning(const std::string& text) override;
    void item(const std::string& text) override;
    void table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) override;
    void code(const std::string& text) override;
    void picture(const std::string& svg) override;
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
    bool m_inList = false;
    void endList();
};

class HtmlWriter final : public ReportWriter {
public:
    explicit HtmlWriter(std::string_view languageCode);
    void title(const std::string& text) override;
    void heading(const std::string& text) override;
    void paragraph(const std::string& text) override;
    void warning(const std::string& text) override;
    void item(const std::string& text) override;
    void table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) override;
    void code(const std::string& text) override;
    void picture(const std::string& svg) override;
    std::string text() const;

private:
    std::string m_language, m_title, m_body;
};

} // namespace kw
