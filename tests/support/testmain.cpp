// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include <cstdio>
#include <cstring>

namespace slipway::testing {

namespace {

TestEntry* first = nullptr;

int usage(const char* program)
{
    std::fprintf(
        stderr, "usage: %s ENTRY [function[:row]]... [options of Qt Test]\nentries:\n", program);
    for (const TestEntry* entry = first; entry; entry = entry->next)
        std::fprintf(stderr, "  %s\n", entry->name);
    return 2;
}

} // namespace

TestEntry::TestEntry(const char* entryName, Run entryRun)
    : name(entryName)
    , run(entryRun)
    , next(first)
{
    first = this;
}

} // namespace slipway::testing

int main(int argc, char** argv)
{
    using namespace slipway::testing;
    if (argc < 2)
        return usage(argv[0]);
    for (const TestEntry* entry = first; entry; entry = entry->next) {
        if (std::strcmp(entry->name, argv[1]) != 0)
            continue;
        argv[1] = argv[0]; // Qt Test reads what follows the name of the entry
        return entry->run(argc - 1, argv + 1);
    }
    std::fprintf(stderr, "%s has no entry %s\n", argv[0], argv[1]);
    return usage(argv[0]);
}
