// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The part of the fake libcuda.so.1 that computes: it knows the probe's kernels by name and does on the
// processor what they would do on a card. Besides what fake.h tells it obeys
//   wrong            one result of each kernel is wrong
//   launcherror=700  cuCtxSynchronize returns it after a launch
//   jit=222          cuModuleLoadDataEx returns it

#include "fake.h"

#include <math.h>
#include <time.h>

typedef unsigned long long Address;
enum { ok = 0, invalid = 1, notFound = 500 };
static const char* const kernels[] = {"verify", "sgemm", "dgemm", "triad", "nbody", "peak_fp32", "peak_fp64", "fill", "check", "compare", "peak_tf32", "peak_fp16", "peak_bf16"};
enum { kernelCount = sizeof kernels / sizeof *kernels };
static int launched;

EXPORT int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options, void** values)
{
    enter("cuModuleLoadDataEx");
    if (told("jit")) {
        if (count > 0 && options[0] == 5)
            snprintf(values[0], 64, "ptxas application ptx input: unsupported");
        return number("jit", 222);
    }
    // What is no PTX text of a version that old drivers know is refused, as they would.
    const char* text = image;
    if (!strstr(text, ".version 3.2\n") && !strstr(text, ".version 4.0\n") && !strstr(text, ".version 7.0\n"))
        return 222;
    *module = strdup(text); // as the real one, it keeps a copy
    return ok;
}

EXPORT int cuModuleGetFunction(void** function, void* module, const char* name)
{
    char entry[80];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    if (!strstr(module, entry))
        return notFound;
    for (int i = 0; i < kernelCount; ++i) {
        if (strcmp(kernels[i], name) == 0) {
            *function = (void*)kernels[i];
            return ok;
        }
    }
    return notFound;
}

static unsigned mixed(unsigned value)
{
    for (int round = 0; round < 32; ++round) {
        value ^= value >> 15;
        value *= 2246822519u;
        value ^= value >> 13;
        value += 2654435769u;
    }
    return value;
}

#define POINTER(type, i) ((type*)*(Address*)arguments[i])
#define VALUE(type, i) (*(type*)arguments[i])

static void run_verify(unsigned blocks, void** arguments)
{
    unsigned *out = POINTER(unsigned, 0), *sum = POINTER(unsigned, 1);
    for (unsigned i = 0; i < blocks * 256; ++i) {
        out[i] = mixed((i / 256 * 256 + 255 - i % 256) ^ VALUE(unsigned, 2)) + i;
        *sum += out[i];
    }
    if (told("wrong"))
        out[5] ^= 1;
}

#define GEMM(name, type) \
    static void name(void** arguments) \
    { \
        const type *restrict a = POINTER(type, 0), *restrict b = POINTER(type, 1); \
        type* restrict c = POINTER(type, 2); \
        const long n = VALUE(int, 3); \
        memset(c, 0, (size_t)(n * n) * sizeof(type)); \
        for (long i = 0; i < n; ++i) { \
            for (long k = 0; k < n; ++k) { \
                for (long j = 0; j < n; ++j) \
                    c[i * n + j] += a[i * n + k] * b[k * n + j]; \
            } \
        } \
        if (told("wrong")) \
            c[0] += 1; \
    }
GEMM(run_sgemm, float)
GEMM(run_dgemm, double)

static void run_triad(void** arguments)
{
    const float *a = POINTER(float, 0), *b = POINTER(float, 1);
    float* c = POINTER(float, 2);
    for (long i = 0; i < VALUE(long, 4) * 4; ++i)
        c[i] = a[i] + VALUE(float, 3) * b[i];
    if (told("wrong"))
        c[0] += 1;
}

static void run_nbody(void** arguments)
{
    const float* bodies = POINTER(float, 0);
    float* pulls = POINTER(float, 1);
    const int count = VALUE(int, 2);
    // More would take minutes: what a benchmark of it says is wrong, and it says so.
    for (int i = 0; i < count && count <= 16384; ++i) {
        float p[3] = {0, 0, 0};
        for (int j = 0; j < count; ++j) {
            float d[3], square = VALUE(float, 3);
            for (int k = 0; k < 3; ++k) {
                d[k] = bodies[j * 4 + k] - bodies[i * 4 + k];
                square += d[k] * d[k];
            }
            const float inverse = 1 / sqrtf(square), pull = bodies[j * 4 + 3] * inverse * inverse * inverse;
            for (int k = 0; k < 3; ++k)
                p[k] += pull * d[k];
        }
        memcpy(pulls + i * 4, p, sizeof p);
    }
}

static void run_compare(void** arguments)
{
    for (long i = 0; i < VALUE(long, 2); ++i)
        *POINTER(unsigned, 3) += POINTER(unsigned, 0)[i] != POINTER(unsigned, 1)[i];
}

EXPORT int cuLaunchKernel(void* function, unsigned x, unsigned y, unsigned z, unsigned threadsX, unsigned threadsY, unsigned threadsZ, unsigned shared, void* stream, void** arguments, void** extra)
{
    (void)z, (void)threadsX, (void)threadsY, (void)threadsZ, (void)shared, (void)stream, (void)extra, (void)y;
    enter("cuLaunchKernel");
    launched = 1;
    const char* name = function;
    if (strcmp(name, "verify") == 0)
        run_verify(x, arguments);
    else if (strcmp(name, "sgemm") == 0)
        run_sgemm(arguments);
    else if (strcmp(name, "dgemm") == 0)
        run_dgemm(arguments);
    else if (strcmp(name, "triad") == 0)
        run_triad(arguments);
    else if (strcmp(name, "nbody") == 0)
        run_nbody(arguments);
    else if (strcmp(name, "compare") == 0)
        run_compare(arguments);
    else
        usleep(200); // the peaks: nothing is computed
    return ok;
}

EXPORT int cuCtxSynchronize(void)
{
    enter("cuCtxSynchronize");
    return launched && told("launcherror") ? number("launcherror", 700) : ok;
}
EXPORT int cuCtxSetCurrent(void* context) { return context ? ok : invalid; }
EXPORT int cuCtxEnablePeerAccess(void* peer, unsigned flags) { return peer && !flags ? ok : invalid; }

EXPORT int cuMemGetInfo_v2(size_t* free_bytes, size_t* total)
{
    *free_bytes = *total = 8 << 20; // a small card: what fills it is computed here
    return ok;
}
EXPORT int cuMemFree_v2(Address address)
{
    free((void*)address);
    return ok;
}
EXPORT int cuMemAllocHost_v2(void** address, size_t bytes) { return (*address = aligned_alloc(64, (bytes + 63) / 64 * 64)) ? ok : 2; }
EXPORT int cuMemFreeHost(void* address)
{
    free(address);
    return ok;
}
static int copy(void* to, const void* from, size_t bytes)
{
    memcpy(to, from, bytes);
    return ok;
}
EXPORT int cuMemcpyDtoH_v2(void* to, Address from, size_t bytes) { return copy(to, (void*)from, bytes); }
EXPORT int cuMemcpyDtoD_v2(Address to, Address from, size_t bytes) { return copy((void*)to, (void*)from, bytes); }
EXPORT int cuMemcpyHtoDAsync_v2(Address to, const void* from, size_t bytes, void* stream) { return stream ? invalid : copy((void*)to, from, bytes); }
EXPORT int cuMemcpyDtoHAsync_v2(void* to, Address from, size_t bytes, void* stream) { return stream ? invalid : copy(to, (void*)from, bytes); }
EXPORT int cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void* stream) { return stream ? invalid : copy((void*)to, (void*)from, bytes); }
EXPORT int cuMemcpyPeerAsync(Address to, void* toContext, Address from, void* fromContext, size_t bytes, void* stream)
{
    return stream || !toContext || !fromContext ? invalid : copy((void*)to, (void*)from, bytes);
}
EXPORT int cuMemsetD8_v2(Address to, unsigned char value, size_t count)
{
    memset((void*)to, value, count);
    return ok;
}
EXPORT int cuMemsetD32_v2(Address to, unsigned value, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        ((unsigned*)to)[i] = value;
    return ok;
}

EXPORT int cuEventCreate(void** event, unsigned flags)
{
    *event = calloc(1, sizeof(struct timespec));
    return flags || !*event ? invalid : ok;
}
EXPORT int cuEventDestroy_v2(void* event)
{
    free(event);
    return ok;
}
EXPORT int cuEventRecord(void* event, void* stream)
{
    clock_gettime(CLOCK_MONOTONIC, event);
    return stream ? invalid : ok;
}
EXPORT int cuEventSynchronize(void* event)
{
    enter("cuEventSynchronize");
    return event ? ok : invalid;
}
EXPORT int cuEventElapsedTime(float* milliseconds, void* begin, void* end)
{
    const struct timespec *a = begin, *b = end;
    *milliseconds = (float)((double)(b->tv_sec - a->tv_sec) * 1e3 + (double)(b->tv_nsec - a->tv_nsec) / 1e6);
    return ok;
}
EXPORT int cuGetErrorString(int error, const char** text)
{
    *text = error == 700 ? "an illegal memory access was encountered" : NULL;
    return *text ? ok : invalid;
}
