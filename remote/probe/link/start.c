// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The first thing that runs. A new glibc's own start file leaves the constructors to the C library, and
// an old C library leaves them to the start file: so this one hands them over, which both understand.

#include <stddef.h>

typedef void (*constructor)(int, char**, char**);
typedef void (*destructor)(void);

extern constructor __init_array_start[] __attribute__((visibility("hidden")));
extern constructor __init_array_end[] __attribute__((visibility("hidden")));
extern destructor __fini_array_start[] __attribute__((visibility("hidden")));
extern destructor __fini_array_end[] __attribute__((visibility("hidden")));

int main(int, char**, char**);
int __libc_start_main(int (*)(int, char**, char**), int, char**, constructor, destructor, destructor, void*);

static void construct(int count, char** arguments, char** environment)
{
    const ptrdiff_t n = __init_array_end - __init_array_start;
    for (ptrdiff_t i = 0; i < n; ++i)
        __init_array_start[i](count, arguments, environment);
}

static void destruct(void)
{
    for (ptrdiff_t i = __fini_array_end - __fini_array_start; i > 0; --i)
        __fini_array_start[i - 1]();
}

__attribute__((used, noreturn, visibility("hidden"))) void slipway_start(long* stack, destructor loader_fini)
{
    __libc_start_main(main, (int)stack[0], (char**)(stack + 1), construct, destruct, loader_fini, stack);
    __builtin_unreachable();
}

#if defined(__x86_64__)
__asm__(".text\n.globl _start\n.type _start,%function\n_start:\n"
        "  xor %ebp, %ebp\n  mov %rsp, %rdi\n  mov %rdx, %rsi\n  and $-16, %rsp\n  call slipway_start\n  hlt\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl _start\n.type _start,%function\n_start:\n"
        "  mov x29, #0\n  mov x30, #0\n  mov x1, x0\n  mov x0, sp\n  bl slipway_start\n  brk #0\n");
#else
#error "the probe knows how a program starts on x86-64 and aarch64 only"
#endif
