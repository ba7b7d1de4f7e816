// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// glibc 2.35's way to find the unwind table of an address. A C++ runtime built on such a glibc has no
// other way, and gives up on the first exception where this fails: so it is made of the old way.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

// An older header does not know the struct that this runtime was built with.
#ifndef DLFO_STRUCT_HAS_EH_DBASE
struct dl_find_object {
    unsigned long long dlfo_flags;
    void* dlfo_map_start;
    void* dlfo_map_end;
    struct link_map* dlfo_link_map;
    void* dlfo_eh_frame;
    unsigned long long dlfo_reserved[7];
};
#endif

struct question {
    ElfW(Addr) address;
    struct dl_find_object* answer;
};

static int look(struct dl_phdr_info* object, size_t size, void* data)
{
    const struct question* question = data;
    void* table = NULL;
    ElfW(Addr) first = 0, last = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)* part = &object->dlpi_phdr[i];
        const ElfW(Addr) begin = object->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type == PT_LOAD && question->address >= begin && question->address < end) {
            first = begin;
            last = end;
        }
        if (part->p_type == PT_GNU_EH_FRAME)
            table = (void*)begin;
    }
    if (!last || !table)
        return 0;
    *question->answer = (struct dl_find_object){.dlfo_map_start = (void*)first, .dlfo_map_end = (void*)last, .dlfo_eh_frame = table};
    return 1;
}

int _dl_find_object(void* address, struct dl_find_object* answer)
{
    struct question question = {(ElfW(Addr))address, answer};
    return dl_iterate_phdr(look, &question) ? 0 : -1;
}
