// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A libnvidia-ml.so.1 that has no card behind it and does as it is told (fake.h). A device's handle is
// its number and one; of a part of a divided card that and a hundred.

#include "fake.h"

enum { ok = 0, invalid = 2, not_supported = 3, part = 100 };
typedef unsigned long long count64;

static int card_of(void* device) { return (int)(size_t)device % part - 1; }

EXPORT int nvmlInit_v2(void)
{
    enter("nvmlInit");
    return told("nvmlrefuse") ? number("nvmlrefuse", 999) : ok;
}

EXPORT int nvmlShutdown(void) { return ok; }

EXPORT const char* nvmlErrorString(int error)
{
    return error == 18 ? "Driver/library version mismatch" : error == 9 ? "Driver Not Loaded" : "Unknown Error";
}

EXPORT int nvmlSystemGetDriverVersion(char* text, unsigned length)
{
    const char* version = told("driver");
    snprintf(text, length, "%s", version && *version ? version : "580.65.06");
    return ok;
}

EXPORT int nvmlDeviceGetCount_v2(unsigned* count)
{
    enter("nvmlDeviceGetCount");
    *count = (unsigned)cards();
    return ok;
}

EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device)
{
    if (index >= (unsigned)cards())
        return invalid;
    *device = (void*)(size_t)(index + 1);
    return ok;
}

EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device)
{
    unsigned number = 0;
    if (sscanf(bus, "%*x:%x:", &number) != 1)
        return invalid;
    *device = (void*)(size_t)(number / 0x10);
    return ok;
}

EXPORT int nvmlDeviceGetUUID(void* device, char* text, unsigned length)
{
    char uuid[64];
    const int is_part = (size_t)device > part;
    uuid_text(uuid, is_part ? "MIG" : "GPU", card_of(device), is_part ? 1 : 0);
    snprintf(text, length, "%s", uuid);
    return ok;
}

EXPORT int nvmlDeviceGetName(void* device, char* text, unsigned length)
{
    (void)device;
    enter("nvmlDeviceGetName");
    snprintf(text, length, "%s", card_name());
    return ok;
}

EXPORT int nvmlDeviceGetMinorNumber(void* device, unsigned* minor)
{
    *minor = (unsigned)card_of(device);
    return ok;
}

EXPORT int nvmlDeviceGetMemoryInfo(void* device, count64* memory)
{
    enter("nvmlDeviceGetMemoryInfo");
    memory[0] = CARD_MEMORY;
    memory[2] = told("others") && card_of(device) == 0 ? CARD_MEMORY / 2 : 5ull << 20;
    memory[1] = memory[0] - memory[2];
    return ok;
}

EXPORT int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates)
{
    rates[0] = card_of(device) == 0 ? 87 : 0;
    rates[1] = 12;
    return ok;
}

EXPORT int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts)
{
    (void)device;
    enter("nvmlDeviceGetPowerUsage");
    *milliwatts = 412345;
    return ok;
}

EXPORT int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts)
{
    (void)device;
    *milliwatts = told("capped") ? 400000 : 700000;
    return ok;
}

EXPORT int nvmlDeviceGetPowerManagementDefaultLimit(void* device, unsigned* milliwatts)
{
    (void)device;
    *milliwatts = 700000;
    return ok;
}

EXPORT int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius)
{
    (void)device;
    (void)sensor;
    *celsius = told("hot") ? 89 : 41;
    return ok;
}

EXPORT int nvmlDeviceGetTemperatureThreshold(void* device, int threshold, unsigned* celsius)
{
    (void)device;
    *celsius = threshold == 1 ? 90 : 95;
    return ok;
}

EXPORT int nvmlDeviceGetClockInfo(void* device, int clock, unsigned* megahertz)
{
    (void)device;
    (void)clock;
    *megahertz = 1755;
    return ok;
}

EXPORT int nvmlDeviceGetMaxClockInfo(void* device, int clock, unsigned* megahertz)
{
    (void)device;
    (void)clock;
    *megahertz = 1980;
    return ok;
}

EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, count64* reasons)
{
    (void)device;
    *reasons = told("throttle") ? 0x48 : 0x1;
    return ok;
}

EXPORT int nvmlDeviceGetPersistenceMode(void* device, int* mode)
{
    (void)device;
    *mode = 1;
    return ok;
}

EXPORT int nvmlDeviceGetComputeMode(void* device, int* mode)
{
    (void)device;
    *mode = told("exclusive") ? 3 : told("prohibited") ? 2 : 0;
    return ok;
}

EXPORT int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending)
{
    (void)device;
    *current = *pending = told("mig") ? 1 : 0;
    return ok;
}

EXPORT int nvmlDeviceGetMaxMigDeviceCount(void* device, unsigned* count)
{
    (void)device;
    *count = 7;
    return ok;
}

EXPORT int nvmlDeviceGetMigDeviceHandleByIndex(void* device, unsigned index, void** mig)
{
    if (index > 0)
        return 6; // not found
    *mig = (void*)((size_t)device + part);
    return ok;
}

EXPORT int nvmlDeviceGetEccMode(void* device, int* current, int* pending)
{
    (void)device;
    *current = *pending = 1;
    return ok;
}

EXPORT int nvmlDeviceGetTotalEccErrors(void* device, int uncorrected, int ever, count64* count)
{
    (void)ever;
    *count = told("ecc") && card_of(device) == 1 ? (uncorrected ? 2 : 17) : 0;
    return ok;
}

EXPORT int nvmlDeviceGetRemappedRows(void* device, unsigned* corrected, unsigned* uncorrected, unsigned* pending, unsigned* failed)
{
    (void)device;
    *corrected = *uncorrected = *failed = 0;
    *pending = told("remap") ? 1 : 0;
    return ok;
}

EXPORT int nvmlDeviceGetCurrPcieLinkGeneration(void* device, unsigned* generation)
{
    (void)device;
    enter("nvmlDeviceGetCurrPcieLinkGeneration");
    *generation = told("gen1") && (!getenv("SLIPWAY_FAKE_BUSY") || told("stuckgen1")) ? 1 : 5;
    return ok;
}

EXPORT int nvmlDeviceGetCurrPcieLinkWidth(void* device, unsigned* width)
{
    (void)device;
    *width = told("width8") ? 8 : 16;
    return ok;
}

EXPORT int nvmlDeviceGetMaxPcieLinkGeneration(void* device, unsigned* generation)
{
    (void)device;
    *generation = 5;
    return ok;
}

EXPORT int nvmlDeviceGetMaxPcieLinkWidth(void* device, unsigned* width)
{
    (void)device;
    *width = 16;
    return ok;
}

EXPORT int nvmlDeviceGetNvLinkState(void* device, unsigned link, int* active)
{
    (void)device;
    if (!told("nvlink") || link >= 4)
        return told("nvlink") ? invalid : not_supported;
    *active = link < 3;
    return ok;
}

EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, void* processes)
{
    struct {
        unsigned pid;
        count64 memory;
        unsigned instance, compute;
    }* list = processes;
    *count = told("others") && card_of(device) == 0 ? 1 : 0;
    if (*count) {
        list[0].pid = 4711;
        list[0].memory = CARD_MEMORY / 2;
    }
    return ok;
}

EXPORT int nvmlDeviceGetCpuAffinity(void* device, unsigned words, unsigned long* mask)
{
    (void)device;
    memset(mask, 0, words * sizeof *mask);
    mask[0] = 0xff;
    return ok;
}
