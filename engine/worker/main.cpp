// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/dump.h"

#include <cstdio>
#include <cstring>

int main(int argc, char** argv)
{
    if (argc == 3 && std::strcmp(argv[1], "--dump-graph") == 0)
        return kw::dumpGraph(argv[2]);
    std::fputs("usage: kernelwright-worker --dump-graph MODEL.pt2\n", stderr);
    return 2;
}
