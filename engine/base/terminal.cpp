// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace kw {
namespace {

int descriptorOf(StandardStream stream)
{
    return stream == StandardStream::Output ? STDOUT_FILENO : STDERR_FILENO;
}

} // namespace

bool isTerminal(StandardStream stream)
{
    const char* kind = std::getenv("TERM");
    return ::isatty(descriptorOf(stream)) == 1 && kind && std::string_view(kind) != "dumb";
}

std::size_t terminalWidth(StandardStream stream)
{
    winsize size{};
    return ::ioctl(descriptorOf(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace kw
