// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"

int main(int argc, char** argv)
{
    return kw::cli::runProgram(argc, argv);
}
