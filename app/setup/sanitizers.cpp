// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

/// Part of every program that is built with sanitizers: what the address sanitizer asks for at the
/// start. A check for undefined behaviour ends the program by an illegal instruction, whose place
/// in the source it then prints.
extern "C" const char* __asan_default_options();

const char* __asan_default_options()
{
    return "handle_sigill=1";
}
