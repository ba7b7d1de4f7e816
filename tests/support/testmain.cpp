// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

namespace slipway::testing {

namespace {

TestEntry* first = nullptr;

/// What programs of a person share lies below XDG_RUNTIME_DIR. A test shares nothing with other
/// tests, nor with the person's own programs, and leaves no broker behind.
class OwnRuntimeFolder {
public:
    OwnRuntimeFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "slipway-run-XXXXXX").string();
        if (!::mkdtemp(name.data()))
            return;
        m_path = name;
        ::setenv("XDG_RUNTIME_DIR", name.c_str(), 1);
        ::setenv("SLIPWAY_NO_SHARING", "1", 0);
    }
    ~OwnRuntimeFolder()
    {
        std::error_code error;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, error);
    }

private:
    std::string m_path;
};

/// Programs are those of the system. A person's own folders may come first on the search path, and
/// what stands there for python3, say, may itself be a script that takes half a second.
void useSystemPrograms()
{
    ::setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
}

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
    const OwnRuntimeFolder runtime;
    useSystemPrograms();
    for (const TestEntry* entry = first; entry; entry = entry->next) {
        if (std::strcmp(entry->name, argv[1]) != 0)
            continue;
        argv[1] = argv[0]; // Qt Test reads what follows the name of the entry
        return entry->run(argc - 1, argv + 1);
    }
    std::fprintf(stderr, "%s has no entry %s\n", argv[0], argv[1]);
    return usage(argv[0]);
}
