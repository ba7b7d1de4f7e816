/* SPDX-FileCopyrightText: The Slipway authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An all-pairs gravity simulation on the CPU, for containers without CUDA. It accepts the applicable options of
 * NVIDIA's n-body sample and prints its result in the same format, but it is a different program: its first line
 * says so, and its numbers are those of the CPU.
 *
 *   cc -O3 -ffast-math -pthread -o nbody nbody_cpu.c -lm
 *
 * Exit code: 0 done, 1 a wrong result or no memory, 2 wrong usage.
 */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One program for old and new processors: the loader selects the variant for this processor. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_EACH_CPU __attribute__((target_clones("arch=haswell", "default")))
#else
#define FOR_EACH_CPU
#endif

enum { most_threads = 256 };
static const double softening = 0.01, time_step = 0.001;

struct options {
    long bodies;
    int iterations, threads, fp64;
};

/* Some bodies of the whole: those from `first` to before `last` get their new velocity from all others. */
struct part {
    void *bodies;
    long first, last;
};

/* The same simulation in two precisions. Positions and velocities are separate arrays, so that the inner loop reads
 * memory in order and is vectorised. */
#define SIMULATION(NAME, REAL, SQRT)                                                                                    \
    struct NAME {                                                                                                      \
        long n;                                                                                                        \
        REAL *x, *y, *z, *mass, *vx, *vy, *vz;                                                                         \
    };                                                                                                                 \
    FOR_EACH_CPU static void NAME##_pull(struct NAME *b, long first, long last)                                        \
    {                                                                                                                  \
        const REAL least = (REAL)(softening * softening), dt = (REAL)time_step;                                        \
        for (long i = first; i < last; ++i) {                                                                          \
            REAL ax = 0, ay = 0, az = 0;                                                                               \
            for (long j = 0; j < b->n; ++j) {                                                                          \
                const REAL dx = b->x[j] - b->x[i], dy = b->y[j] - b->y[i], dz = b->z[j] - b->z[i];                     \
                const REAL square = dx * dx + dy * dy + dz * dz + least;                                               \
                const REAL inverse = 1 / SQRT(square);                                                                 \
                const REAL force = b->mass[j] * inverse * inverse * inverse;                                           \
                ax += dx * force, ay += dy * force, az += dz * force;                                                  \
            }                                                                                                          \
            b->vx[i] += ax * dt, b->vy[i] += ay * dt, b->vz[i] += az * dt;                                             \
        }                                                                                                              \
    }                                                                                                                  \
    static void *NAME##_thread(void *argument)                                                                         \
    {                                                                                                                  \
        struct part *part = argument;                                                                                  \
        NAME##_pull(part->bodies, part->first, part->last);                                                            \
        return NULL;                                                                                                   \
    }                                                                                                                  \
    static void NAME##_step(struct NAME *b, int threads)                                                               \
    {                                                                                                                  \
        pthread_t ids[most_threads];                                                                                   \
        struct part parts[most_threads];                                                                               \
        for (int t = 0; t < threads; ++t) {                                                                            \
            parts[t] = (struct part){b, b->n * t / threads, b->n * (t + 1) / threads};                                 \
            if (pthread_create(&ids[t], NULL, NAME##_thread, &parts[t]) != 0)                                          \
                fail("a thread could not be started");                                                                 \
        }                                                                                                              \
        for (int t = 0; t < threads; ++t)                                                                              \
            pthread_join(ids[t], NULL);                                                                                \
        for (long i = 0; i < b->n; ++i) {                                                                              \
            b->x[i] += b->vx[i] * (REAL)time_step;                                                                     \
            b->y[i] += b->vy[i] * (REAL)time_step;                                                                     \
            b->z[i] += b->vz[i] * (REAL)time_step;                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    /* Pulls cancel in pairs: a momentum that drifts means that the sums are wrong. */                                 \
    static double NAME##_drift(const struct NAME *b)                                                                   \
    {                                                                                                                  \
        double px = 0, py = 0, pz = 0, all = 0;                                                                        \
        for (long i = 0; i < b->n; ++i) {                                                                              \
            px += b->mass[i] * b->vx[i], py += b->mass[i] * b->vy[i], pz += b->mass[i] * b->vz[i];                     \
            all += b->mass[i] * (fabs(b->vx[i]) + fabs(b->vy[i]) + fabs(b->vz[i]));                                    \
        }                                                                                                              \
        return all > 0 ? (fabs(px) + fabs(py) + fabs(pz)) / all : 1;                                                   \
    }                                                                                                                  \
    static double NAME##_run(const struct options *o, double *milliseconds)                                            \
    {                                                                                                                  \
        struct NAME b = {.n = o->bodies};                                                                              \
        REAL **arrays[] = {&b.x, &b.y, &b.z, &b.mass, &b.vx, &b.vy, &b.vz};                                            \
        for (int a = 0; a < 7; ++a) {                                                                                  \
            *arrays[a] = calloc((size_t)b.n, sizeof(REAL));                                                            \
            if (!*arrays[a])                                                                                           \
                fail("not enough memory for so many bodies");                                                          \
        }                                                                                                              \
        for (long i = 0; i < b.n; ++i) {                                                                               \
            b.x[i] = (REAL)sample(), b.y[i] = (REAL)sample(), b.z[i] = (REAL)sample();                                 \
            b.mass[i] = (REAL)1 / (REAL)b.n;                                                                           \
        }                                                                                                              \
        NAME##_step(&b, o->threads); /* the first step touches the memory; it is not measured */                       \
        const double begun = seconds();                                                                                \
        for (int i = 0; i < o->iterations; ++i)                                                                        \
            NAME##_step(&b, o->threads);                                                                               \
        *milliseconds = (seconds() - begun) * 1000;                                                                    \
        const double drift = NAME##_drift(&b);                                                                         \
        for (int a = 0; a < 7; ++a)                                                                                    \
            free(*arrays[a]);                                                                                          \
        return drift;                                                                                                  \
    }

static void fail(const char *why)
{
    fprintf(stderr, "Error: %s\n", why);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The same cloud of bodies each time: a plain linear congruence, between -1 and 1. */
static double sample(void)
{
    static unsigned long long state = 42;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

SIMULATION(single, float, sqrtf)
SIMULATION(twofold, double, sqrt)

static void print_cpu_name(int threads)
{
    char line[512], *name = NULL;
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && !name && fgets(line, sizeof line, info)) {
        if (strncmp(line, "model name", 10) == 0 && (name = strchr(line, ':')))
            name += 2, name[strcspn(name, "\n")] = 0;
    }
    if (info)
        fclose(info);
    printf("> CPU: [%s], %d thread%s\n", name ? name : "of unknown name", threads, threads == 1 ? "" : "s");
}

static void usage(FILE *out)
{
    fputs("Usage: nbody -benchmark [-numbodies=N] [-i=ITERATIONS] [-fp64] [-cpu] [-threads=N]\n"
          "  -benchmark     measure and print a result; nothing else is offered\n"
          "  -numbodies=N   bodies, 2 or more (default 4096)\n"
          "  -i=N           iterations (default 10)\n"
          "  -fp64          double precision\n"
          "  -threads=N     0: the processors that this process may use (default)\n"
          "  -cpu           accepted and idle: this program has no GPU code\n",
        out);
}

static long number_in(const char *argument, long least, long most)
{
    char *end;
    const char *text = strchr(argument, '=') + 1;
    const long number = strtol(text, &end, 10);
    if (*text && !*end && number >= least && number <= most)
        return number;
    fprintf(stderr, "Error: %s: a whole number from %ld to %ld is needed\n", argument, least, most);
    exit(2);
}

static struct options options_of(int count, char **arguments)
{
    struct options o = {.bodies = 4096, .iterations = 10};
    int benchmark = 0;
    for (int i = 1; i < count; ++i) {
        const char *a = arguments[i];
        if (strcmp(a, "-benchmark") == 0) benchmark = 1;
        else if (strcmp(a, "-fp64") == 0) o.fp64 = 1;
        else if (strcmp(a, "-cpu") == 0) continue;
        else if (strncmp(a, "-numbodies=", 11) == 0) o.bodies = number_in(a, 2, 100000000);
        else if (strncmp(a, "-i=", 3) == 0) o.iterations = (int)number_in(a, 1, 1000000);
        else if (strncmp(a, "-threads=", 9) == 0) o.threads = (int)number_in(a, 0, most_threads);
        else if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) usage(stdout), exit(0);
        else if (strncmp(a, "-numdevices=", 12) == 0 || strncmp(a, "-device=", 8) == 0) {
            fprintf(stderr, "Error: %s: this n-body program has no GPU code; build the CUDA sample for that\n", a);
            exit(2);
        } else {
            fprintf(stderr, "Error: %s is not an option\n", a);
            usage(stderr), exit(2);
        }
    }
    if (!benchmark)
        usage(stdout), exit(0);
    if (o.threads == 0) {
        cpu_set_t mine;
        o.threads = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
        if (o.threads > most_threads)
            o.threads = most_threads;
    }
    if (o.threads > o.bodies)
        o.threads = (int)o.bodies;
    return o;
}

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    const struct options o = options_of(count, arguments);
    const char *precision = o.fp64 ? "double" : "single";
    const int flops = o.fp64 ? 30 : 20; /* as the CUDA sample counts them */
    puts("n-body on the CPU: Slipway's own small program, not NVIDIA's CUDA sample");
    puts("> Simulation with CPU");
    printf("> %s precision floating point simulation\n", o.fp64 ? "Double" : "Single");
    print_cpu_name(o.threads);

    double milliseconds = 0;
    const double drift = (o.fp64 ? twofold_run : single_run)(&o, &milliseconds);
    const double most = o.fp64 ? 1e-9 : 1e-3;
    if (!(drift < most)) { /* also when it is not a number */
        fprintf(stderr, "Error: the momentum of all bodies drifted by %g of itself; the result is wrong\n", drift);
        return 1;
    }
    const double interactions = (double)o.bodies * (double)o.bodies * o.iterations / (milliseconds * 1e6);
    printf("%ld bodies, total time for %d iterations: %.3f ms\n", o.bodies, o.iterations, milliseconds);
    printf("= %.3f billion interactions per second\n", interactions);
    printf("= %.3f %s-precision GFLOP/s at %d flops per interaction\n", interactions * flops, precision, flops);
    return 0;
}
