// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/hostcard/hostblock.h"
#include "tests/support/hostcard/hostthread.h"
#include "tests/support/hostcard/numbers.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

#include <ucontext.h>

bool hostKernel(const char* name, void** arguments);
// The linker's names for the begin and the end of all shared arrays.
extern "C" char __start_slipway_shared[], __stop_slipway_shared[];

HostThread hostThread;

namespace {

constexpr int mostThreads = 256, warp = 32;
constexpr size_t stackBytes = 64 << 10;

/// Who touched a word last.
struct Mark {
    unsigned launch = 0, phase = 0;
    int block = 0, thread = 0; ///< -1: several
    bool atomic = false;
};
struct Word {
    Mark write, read;
};
/// Memory of kernels, with a word of marks for each four bytes, made when the first is touched.
struct Region {
    uintptr_t begin = 0, end = 0;
    std::vector<Word> words;
    bool shared = false;
};

struct Launch {
    std::string name, fault;
    void** arguments = nullptr;
    unsigned number = 0, phase = 0;
    int block = 0;
    bool runs = false;
};
Launch launch;
std::map<uintptr_t, Region> regions;
ucontext_t scheduler, fibers[mostThreads];
bool done[mostThreads];
std::unique_ptr<char[]> stacks;
struct Fragments {
    unsigned a[4], b[2];
} fragments[mostThreads];

/// A thread's own variables, and where it stands.
bool isOwn(uintptr_t address)
{
    if (address >= uintptr_t(&hostThread) && address < uintptr_t(&hostThread + 1))
        return true;
    const auto begin = uintptr_t(stacks.get());
    return address >= begin && address < begin + stackBytes * mostThreads;
}

void report(const std::string& what)
{
    if (launch.fault.empty())
        launch.fault = launch.name + ": thread " + std::to_string(hostThread.thread) + " of block "
            + std::to_string(launch.block) + ' ' + what;
}

Region* regionAt(uintptr_t address, size_t bytes)
{
    static Region* last = nullptr;
    static unsigned lastLaunch = 0;
    if (last && lastLaunch == launch.number && address >= last->begin
        && address + bytes <= last->end)
        return last;
    auto at = regions.upper_bound(address);
    if (at == regions.begin())
        return nullptr;
    Region& region = std::prev(at)->second;
    if (address + bytes > region.end)
        return nullptr;
    last = &region;
    lastLaunch = launch.number;
    return last;
}

/// True where this thread's access and the one of the mark have no order.
bool races(const Mark& mark, bool atomic)
{
    if (mark.launch != launch.number || (mark.atomic && atomic))
        return false;
    if (mark.block != launch.block)
        return true;
    return mark.phase == launch.phase && mark.thread != hostThread.thread;
}

void mark(Mark& mark, bool atomic)
{
    const bool now = mark.launch == launch.number;
    const bool otherBlock = now && mark.block != launch.block;
    const bool otherThread = now && mark.phase == launch.phase && mark.thread != hostThread.thread;
    mark = {launch.number, launch.phase, otherBlock ? -1 : launch.block,
        otherThread ? -1 : hostThread.thread, atomic};
}

void access(const void* pointer, size_t bytes, bool writes, bool atomic = false)
{
    const auto address = uintptr_t(pointer);
    if (!launch.runs || isOwn(address))
        return;
    const char* const verb = writes ? "writes " : "reads ";
    Region* region = regionAt(address, bytes);
    if (!region) {
        report(verb + std::to_string(bytes) + " bytes outside of the memory that it was given");
        return;
    }
    if (address % bytes != 0)
        report(verb + std::to_string(bytes) + " bytes at an address that they do not divide");
    if (region->words.empty())
        region->words.resize((region->end - region->begin + 3) / 4);
    for (size_t i = (address - region->begin) / 4; i <= (address + bytes - 1 - region->begin) / 4;
         ++i) {
        Word& word = region->words[i];
        if (!writes && region->shared
            && (word.write.launch != launch.number || word.write.block != launch.block))
            report("reads shared memory that no thread of its block wrote");
        else if (races(word.write, atomic))
            report(std::string(verb) + "what another thread writes at the same time");
        else if (writes && races(word.read, atomic))
            report("writes what another thread reads at the same time");
        mark(writes ? word.write : word.read, atomic);
    }
}

void toScheduler()
{
    swapcontext(&fibers[hostThread.thread], &scheduler);
}

void fiber()
{
    hostKernel(launch.name.c_str(), launch.arguments);
    done[hostThread.thread] = true;
    toScheduler();
}

/// From barrier to barrier, until all threads have ended.
void runBlock(int threads)
{
    for (int t = 0; t < threads; ++t) {
        getcontext(&fibers[t]);
        fibers[t].uc_stack.ss_sp = stacks.get() + size_t(t) * stackBytes;
        fibers[t].uc_stack.ss_size = stackBytes;
        fibers[t].uc_link = nullptr;
        makecontext(&fibers[t], fiber, 0);
        done[t] = false;
    }
    for (int left = threads; left > 0;) {
        int ended = 0;
        ++launch.phase;
        for (int t = 0; t < threads; ++t) {
            if (done[t])
                continue;
            hostThread.thread = t;
            swapcontext(&scheduler, &fibers[t]);
            ended += done[t];
        }
        if (ended != 0 && ended != left)
            report("ended while others of its block wait at a barrier");
        left -= ended;
        if (!launch.fault.empty())
            return; // what the others hold lies on their own stacks only
    }
}

void clearShared()
{
    const auto begin = uintptr_t(__start_slipway_shared), end = uintptr_t(__stop_slipway_shared);
    Region& region = regions[begin];
    if (region.words.empty())
        region = {begin, end, std::vector<Word>((end - begin + 3) / 4), true};
    // As undefined as on a card: not zero, and for floats not a number.
    std::memset(__start_slipway_shared, 0xFF, end - begin);
    std::fill(region.words.begin(), region.words.end(), Word());
}

} // namespace

void giveToKernels(void* memory, size_t bytes)
{
    const auto begin = uintptr_t(memory);
    regions[begin] = {begin, begin + bytes, {}, false};
}

void takeFromKernels(void* memory)
{
    regions.erase(uintptr_t(memory));
    ++launch.number; // what was looked up may be gone
}

bool isHostKernel(const char* name)
{
    return hostKernel(name, nullptr);
}

std::string launchOnHost(
    const char* name, unsigned blocksX, unsigned blocksY, unsigned threads, void** arguments)
{
    if (!isHostKernel(name) || threads > mostThreads)
        return std::string(name) + ": there is no such kernel, or not for so many threads";
    if (!stacks)
        stacks = std::make_unique<char[]>(stackBytes * mostThreads);
    const unsigned number = launch.number + 1;
    launch = {name, {}, arguments, number, 0, 0, true};
    for (unsigned y = 0; y < blocksY; ++y) {
        for (unsigned x = 0; x < blocksX && launch.fault.empty(); ++x) {
            hostThread = {0, int(x), int(y), int(threads), int(blocksX)};
            launch.block = int(y * blocksX + x);
            clearShared();
            runBlock(int(threads));
        }
    }
    launch.runs = false;
    return launch.fault;
}

void hostBarrier()
{
    toScheduler();
}

void hostAddTo(unsigned* sum, unsigned value)
{
    access(sum, sizeof *sum, true, true);
    if (launch.fault.empty())
        *sum += value;
}

float hostReciprocalRoot(float value)
{
    return 1 / std::sqrt(value);
}

// The fragments of a warp's threads as the PTX manual lays them out for m16n8k16 (two numbers of 16
// bits in a register) and m16n8k8 (one of 32 bits).
void hostTensorProduct(const char* instruction, float* sum, const unsigned* a, const unsigned* b)
{
    const int me = hostThread.thread, lane = me % warp;
    std::memcpy(fragments[me].a, a, sizeof fragments[me].a);
    std::memcpy(fragments[me].b, b, sizeof fragments[me].b);
    hostBarrier(); // of a warp; here the whole block waits
    const bool wide = std::strstr(instruction, "tf32");
    const auto number = [&](unsigned word, int half) {
        return wide                            ? tf32Number(word)
            : std::strstr(instruction, "bf16") ? bf16Number(half ? word >> 16 : word & 0xFFFF)
                                               : fp16Number(half ? word >> 16 : word & 0xFFFF);
    };
    const Fragments* const all = fragments + me / warp * warp;
    for (int i = 0; i < 4; ++i) {
        const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        double products = 0;
        for (int k = 0; k < (wide ? 8 : 16); ++k) {
            // Who holds element k of the row, in which register and which half.
            const int holder = wide ? k % 4 : k % 8 / 2, part = wide ? k / 4 : k / 8;
            const unsigned left = all[row % 8 * 4 + holder].a[row / 8 + part * 2];
            const unsigned right = all[column * 4 + holder].b[part];
            products += number(left, k % 2) * number(right, k % 2);
        }
        sum[i] = float(double(sum[i]) + products);
    }
    hostBarrier();
}

// What the compiler's instrumentation calls.
extern "C" {
void __tsan_init() { }
void __tsan_func_entry(void*) { }
void __tsan_func_exit() { }
#define HOST_ACCESS(bytes)                                                                         \
    void __tsan_read##bytes(void* at)                                                              \
    {                                                                                              \
        access(at, bytes, false);                                                                  \
    }                                                                                              \
    void __tsan_write##bytes(void* at)                                                             \
    {                                                                                              \
        access(at, bytes, true);                                                                   \
    }                                                                                              \
    void __tsan_unaligned_read##bytes(void* at)                                                    \
    {                                                                                              \
        access(at, bytes, false);                                                                  \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(void* at)                                                   \
    {                                                                                              \
        access(at, bytes, true);                                                                   \
    }                                                                                              \
    void __tsan_read_write##bytes(void* at)                                                        \
    {                                                                                              \
        access(at, bytes, false);                                                                  \
        access(at, bytes, true);                                                                   \
    }                                                                                              \
    void __tsan_unaligned_read_write##bytes(void* at)                                              \
    {                                                                                              \
        __tsan_read_write##bytes(at);                                                              \
    }
HOST_ACCESS(1)
HOST_ACCESS(2)
HOST_ACCESS(4)
HOST_ACCESS(8)
HOST_ACCESS(16)
// Newer releases of clang call these for whole ranges.
void* __tsan_memset(void* to, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i)
        access(static_cast<char*>(to) + i, 1, true);
    return std::memset(to, value, bytes);
}
void* __tsan_memmove(void* to, const void* from, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        access(static_cast<const char*>(from) + i, 1, false);
        access(static_cast<char*>(to) + i, 1, true);
    }
    return std::memmove(to, from, bytes);
}
void* __tsan_memcpy(void* to, const void* from, size_t bytes)
{
    return __tsan_memmove(to, from, bytes);
}
}
