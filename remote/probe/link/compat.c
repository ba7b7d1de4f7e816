// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the C++ runtime of a new system takes from its C library and glibc 2.17 does not have, made of
// what that has. What nothing uses is left out by the linker. No header that declares these is read here.

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

typedef long kernel_time;
struct moment {
    kernel_time seconds;
    long nanoseconds;
};
struct stat;

long syscall(long, ...);
int clock_gettime(int, struct moment*);
int pthread_cond_timedwait(void*, void*, const struct moment*);
int pthread_mutex_timedlock(void*, const struct moment*);
int pthread_once(int*, void (*)(void));
int pthread_key_create(unsigned*, void (*)(void*));
int pthread_setspecific(unsigned, const void*);
void* pthread_getspecific(unsigned);
int __cxa_atexit(void (*)(void*), void*, void*);
void* malloc(size_t);
void free(void*);
int __fxstat(int, int, struct stat*);
int __fxstat64(int, int, struct stat*);
int __xstat(int, const char*, struct stat*);
int __xstat64(int, const char*, struct stat*);
int __lxstat(int, const char*, struct stat*);
int __lxstat64(int, const char*, struct stat*);
int __fxstatat(int, int, const char*, struct stat*, int);
int __fxstatat64(int, int, const char*, struct stat*, int);
long strtol(const char*, char**, int);
unsigned long strtoul(const char*, char**, int);
long long strtoll(const char*, char**, int);
unsigned long long strtoull(const char*, char**, int);
int vsscanf(const char*, const char*, va_list);
int fcntl(int, int, ...);

#if defined(__x86_64__)
enum { stat_version = 1, getrandom_number = 318 };
#else
enum { stat_version = 0, getrandom_number = 278 };
#endif

char __libc_single_threaded = 0; // 2.32; 0: be careful

// 2.25. A kernel before 3.17 has no such call: the call fails, as it would there.
int getentropy(void* bytes, size_t size)
{
    return syscall(getrandom_number, bytes, size, 0) == (long)size ? 0 : -1;
}

unsigned arc4random(void) // 2.36
{
    unsigned value = 0;
    if (getentropy(&value, sizeof value) != 0) {
        struct moment now;
        clock_gettime(0, &now);
        value = (unsigned)now.nanoseconds * 2654435761u;
    }
    return value;
}

// 2.33; before, a program called these by another name and said which struct it means
int stat(const char* path, struct stat* result) { return __xstat(stat_version, path, result); }
int stat64(const char* path, struct stat* result) { return __xstat64(stat_version, path, result); }
int lstat(const char* path, struct stat* result) { return __lxstat(stat_version, path, result); }
int lstat64(const char* path, struct stat* result) { return __lxstat64(stat_version, path, result); }
int fstat(int file, struct stat* result) { return __fxstat(stat_version, file, result); }
int fstat64(int file, struct stat* result) { return __fxstat64(stat_version, file, result); }
int fstatat(int folder, const char* path, struct stat* result, int flags) { return __fxstatat(stat_version, folder, path, result, flags); }
int fstatat64(int folder, const char* path, struct stat* result, int flags) { return __fxstatat64(stat_version, folder, path, result, flags); }

// 2.28
int fcntl64(int file, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void* argument = va_arg(rest, void*);
    va_end(rest);
    return fcntl(file, command, argument);
}

// 2.30: a wait by any clock, made of a wait by the clock on the wall
static struct moment on_the_wall(int clock, const struct moment* deadline)
{
    struct moment now, wall;
    clock_gettime(clock, &now);
    clock_gettime(0, &wall);
    wall.seconds += deadline->seconds - now.seconds;
    wall.nanoseconds += deadline->nanoseconds - now.nanoseconds;
    for (; wall.nanoseconds < 0; wall.nanoseconds += 1000000000)
        --wall.seconds;
    for (; wall.nanoseconds >= 1000000000; wall.nanoseconds -= 1000000000)
        ++wall.seconds;
    return wall;
}

int pthread_cond_clockwait(void* condition, void* mutex, int clock, const struct moment* deadline)
{
    const struct moment wall = on_the_wall(clock, deadline);
    return pthread_cond_timedwait(condition, mutex, &wall);
}

int pthread_mutex_clocklock(void* mutex, int clock, const struct moment* deadline)
{
    const struct moment wall = on_the_wall(clock, deadline);
    return pthread_mutex_timedlock(mutex, &wall);
}

// 2.38: the names under which C23 has them
long __isoc23_strtol(const char* text, char** end, int base) { return strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char* text, char** end, int base) { return strtoul(text, end, base); }
long long __isoc23_strtoll(const char* text, char** end, int base) { return strtoll(text, end, base); }
unsigned long long __isoc23_strtoull(const char* text, char** end, int base) { return strtoull(text, end, base); }
int __isoc23_sscanf(const char* text, const char* format, ...)
{
    va_list rest;
    va_start(rest, format);
    const int count = vsscanf(text, format, rest);
    va_end(rest);
    return count;
}

// 2.18: what is to be done when a thread ends, the last thing first. The main thread ends with the
// program, for which a thread's own keys do nothing.
struct ending {
    void (*run)(void*);
    void* object;
    struct ending* before;
};
static unsigned endings_key;
static int endings_once = 0;

static void run_endings(void* list)
{
    for (struct ending* ending = list; ending;) {
        struct ending* const before = ending->before;
        // What it does may add to the list, and finds it without what has been done.
        pthread_setspecific(endings_key, before);
        ending->run(ending->object);
        free(ending);
        ending = pthread_getspecific(endings_key);
    }
}

static void run_endings_of_main(void* nothing)
{
    (void)nothing;
    run_endings(pthread_getspecific(endings_key));
}

static void make_endings_key(void)
{
    pthread_key_create(&endings_key, run_endings);
    __cxa_atexit(run_endings_of_main, NULL, NULL);
}

int __cxa_thread_atexit_impl(void (*run)(void*), void* object, void* library)
{
    (void)library;
    pthread_once(&endings_once, make_endings_key);
    struct ending* ending = malloc(sizeof *ending);
    if (!ending)
        return -1;
    *ending = (struct ending){run, object, pthread_getspecific(endings_key)};
    return pthread_setspecific(endings_key, ending);
}
