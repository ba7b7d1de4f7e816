// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/isa.h"

namespace slipway::probe {

extern const Isa isaPlain;
#if defined(__x86_64__)
extern const Isa isaAvx512, isaAvx2;
#elif defined(__aarch64__)
extern const Isa isaNeon;
#endif

const IsaList& isas()
{
    static const IsaList list = [] {
        IsaList found{};
#if defined(__x86_64__)
        const Isa* const built[] = {&isaAvx512, &isaAvx2, &isaPlain};
#elif defined(__aarch64__)
        const Isa* const built[] = {&isaNeon, &isaPlain};
#else
        const Isa* const built[] = {&isaPlain};
#endif
        for (const Isa* isa : built) {
            if (isa->runs())
                found.isas[found.count++] = isa;
        }
        return found;
    }();
    return list;
}

} // namespace slipway::probe
