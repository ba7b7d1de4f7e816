// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A libcuda.so.1 that has no card behind it and does as it is told (fake.h).

#include "fake.h"

enum { ok = 0, invalid = 1, no_device = 100, mostCards = 16 };

/// Which of the cards CUDA_VISIBLE_DEVICES lets through, in its order, as the real one reads it.
static int visible(int* which)
{
    const char* mask = getenv("CUDA_VISIBLE_DEVICES");
    const int there = cards();
    int count = 0;
    for (int i = 0; !mask && i < there && count < mostCards; ++i)
        which[count++] = i;
    for (const char* at = mask; at && *at && count < mostCards; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        int card = -1;
        if (strncmp(at, "GPU-", 4) == 0) {
            for (int i = 0; i < there; ++i) {
                char text[64];
                uuid_text(text, "GPU", i, 0);
                if (strncmp(text, at, strcspn(at, ",")) == 0)
                    card = i;
            }
        } else if (*at >= '0' && *at <= '9') {
            card = atoi(at);
        }
        if (card < 0 || card >= there)
            break;
        which[count++] = card;
    }
    return told("mig") && count > 1 ? 1 : count;
}

EXPORT int cuDriverGetVersion(int* version)
{
    enter("cuDriverGetVersion");
    *version = number("cuda", 13000);
    return ok;
}

EXPORT int cuInit(unsigned flags)
{
    (void)flags;
    enter("cuInit");
    int which[mostCards];
    return told("refuse") ? number("refuse", 999) : visible(which) > 0 ? ok : no_device;
}

EXPORT int cuGetErrorName(int error, const char** text)
{
    static const struct {
        int code;
        const char* name;
    } names[] = {{3, "CUDA_ERROR_NOT_INITIALIZED"}, {100, "CUDA_ERROR_NO_DEVICE"}, {802, "CUDA_ERROR_SYSTEM_NOT_READY"},
        {200, "CUDA_ERROR_INVALID_IMAGE"}, {804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"}, {999, "CUDA_ERROR_UNKNOWN"}};
    for (int i = 0; i < 6; ++i) {
        if (names[i].code == error) {
            *text = names[i].name;
            return ok;
        }
    }
    return invalid;
}

EXPORT int cuDeviceGetCount(int* count)
{
    enter("cuDeviceGetCount");
    int which[mostCards];
    *count = told("liecount") ? 1 : visible(which);
    return ok;
}

EXPORT int cuDeviceGet(int* device, int ordinal)
{
    int which[mostCards];
    if (ordinal < 0 || ordinal >= visible(which))
        return invalid;
    *device = which[ordinal];
    return ok;
}

EXPORT int cuDeviceGetName(char* name, int length, int device)
{
    (void)device;
    enter("cuDeviceGetName");
    snprintf(name, (size_t)length, "%s%s", card_name(), told("mig") ? " MIG 1g.10gb" : "");
    return ok;
}

EXPORT int cuDeviceGetUuid(unsigned char* uuid, int device)
{
    uuid_bytes(uuid, told("lieuuid") ? device + 7 : device, 0);
    return ok;
}

EXPORT int cuDeviceGetUuid_v2(unsigned char* uuid, int device)
{
    uuid_bytes(uuid, told("lieuuid") ? device + 7 : device, told("mig") ? 1 : 0);
    return ok;
}

EXPORT int cuDeviceTotalMem_v2(size_t* bytes, int device)
{
    (void)device;
    *bytes = told("liememory") ? (size_t)1 << 60 : told("mig") ? CARD_MEMORY / 8 : CARD_MEMORY - (1 << 29);
    return ok;
}

EXPORT int cuDeviceGetAttribute(int* value, int attribute, int device)
{
    (void)device;
    enter("cuDeviceGetAttribute");
    const int capability = number("capability", 90);
    *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : attribute == 16 ? 132 : 0;
    return ok;
}

EXPORT int cuDeviceGetPCIBusId(char* id, int length, int device)
{
    snprintf(id, (size_t)length, "0000:%02x:00.0", 0x10 * (device + 1));
    return ok;
}

EXPORT int cuDeviceCanAccessPeer(int* can, int device, int peer)
{
    (void)device;
    (void)peer;
    *can = told("nvlink") != NULL;
    return ok;
}

// Enough of memory for the look at the link under load: a copy makes NVML's fake see a busy card.
EXPORT int cuCtxCreate_v2(void** context, unsigned flags, int device)
{
    (void)flags;
    (void)device;
    enter("cuCtxCreate");
    *context = context;
    return ok;
}

EXPORT int cuCtxDestroy_v2(void* context)
{
    (void)context;
    return ok;
}

EXPORT int cuMemAlloc_v2(unsigned long long* address, size_t bytes)
{
    void* memory = malloc(bytes);
    *address = (unsigned long long)memory;
    return memory ? ok : 2;
}

EXPORT int cuMemcpyHtoD_v2(unsigned long long to, const void* from, size_t bytes)
{
    enter("cuMemcpyHtoD");
    memcpy((void*)to, from, bytes);
    setenv("SLIPWAY_FAKE_BUSY", "1", 1);
    return ok;
}
