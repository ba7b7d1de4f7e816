// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

/// HostCard is a card without hardware for code that calls CUDA's driver in this process: it
/// records every call with its arguments, fails the one it is told to, knows what was not given
/// back, and runs the probe's own kernels on the processor (hostblock.h). One at a time; while it
/// lives, `Library` opens it as libcuda.so.1 (hostdriver.cpp). Used by one thread, owned by the
/// test.
class HostCard {
public:
    HostCard();
    ~HostCard();
    HostCard(const HostCard&) = delete;
    HostCard& operator=(const HostCard&) = delete;
    static HostCard* current();

    // What it is, and how it fails.
    int capability = 90, processors = 2, count = 1;
    size_t memory = 8 << 20; ///< bytes
    bool computes = true; ///< or kernels are recorded only
    int failingCall = -1, failure = 999; ///< the how manieth call of all, and what it returns

    // What it saw.
    std::vector<std::string> calls; ///< "cuMemAlloc_v2(4096)"
    std::string fault; ///< the first of a kernel

    /// Records; 0, or what the call has to return.
    int begin(const std::string& function, const std::vector<std::string>& arguments);
    void* make(const std::string& kind, size_t bytes); ///< a handle, or memory
    bool giveBack(const std::string& kind, const void* handle);
    std::string nameOf(const void* handle) const; ///< "memory 2", else "host"
    std::vector<std::string> kept() const; ///< not given back
    int launch(
        const std::string& kernel, unsigned x, unsigned y, unsigned threads, void** arguments);
    int launches = 0;

private:
    struct Thing {
        std::string name;
        char* block;
    };
    std::map<const void*, Thing> m_things;
    std::map<std::string, int> m_made;
};
