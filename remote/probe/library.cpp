// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/library.h"

#include <dlfcn.h>
#include <link.h>

#include <climits>
#include <cstdlib>

namespace slipway::probe {

Library::Library(std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        _handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (_handle)
            break;
        const char* error = dlerror();
        if (_error.empty() && error)
            _error = error;
    }
    link_map* map = nullptr;
    if (!_handle || dlinfo(_handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
        return;
    char real[PATH_MAX];
    _path = realpath(map->l_name, real) ? real : map->l_name;
}

void* Library::symbol(const char* name) const
{
    return _handle ? dlsym(_handle, name) : nullptr;
}

} // namespace slipway::probe
