// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace slipway::probe {

/// Library is a shared library opened while the program runs. It is never closed: drivers keep
/// threads that would continue in unmapped code. Opening runs code of the library, so it is done in
/// a child.
class Library {
public:
    Library() = default;
    /// The first of these names that opens.
    explicit Library(std::initializer_list<const char*> names);

    explicit operator bool() const { return _handle != nullptr; }
    const std::string& path() const { return _path; } ///< of the file that answered, links followed
    const std::string& error() const
    {
        return _error;
    } ///< the error of the loader of the first name
    void* symbol(const char* name) const; ///< null where there is none

private:
    void* _handle = nullptr;
    std::string _path;
    std::string _error;
};

} // namespace slipway::probe
