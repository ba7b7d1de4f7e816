// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// bounded TARGET ROUNDS FILE|FOLDER…: the fuzz targets without libFuzzer. Each input of the corpus
// as it is, then ROUNDS mutations of them, always the same ones, then more of them for as long as
// SLIPWAY_FUZZ_SECONDS says. Fails when an input takes too long or too much memory; the sanitizers,
// with which it is built, end it at anything else.

#include "tests/unit/slurm/mutations.h"

#include "fuzztargets.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>

#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#define SLIPWAY_DECLARE(name) extern "C" int fuzz_##name(const uint8_t* data, size_t size);
SLIPWAY_FUZZ_TARGETS(SLIPWAY_DECLARE)
#undef SLIPWAY_DECLARE

#if defined(__SANITIZE_ADDRESS__)
/// The sanitizer never forgets from where an allocation was called, with all callers: in minutes of
/// fuzzing that grows beyond what an input may take. The signal is that of undefined behaviour.
extern "C" const char* __asan_default_options()
{
    return "malloc_context_size=1:handle_sigill=1";
}
#endif

namespace {

using Target = int (*)(const uint8_t*, size_t);

constexpr qsizetype longestInput = 16 * 1024;
constexpr qint64 longestTime = 20'000; // milliseconds; an input takes a few, and machines are busy
constexpr long mostMemory = 1024 * 1024; // KiB, of the whole process, sanitizers included

Target targetOf(const char* name)
{
#define SLIPWAY_NAME(one)                                                                          \
    if (std::strcmp(name, #one) == 0)                                                              \
        return fuzz_##one;
    SLIPWAY_FUZZ_TARGETS(SLIPWAY_NAME)
#undef SLIPWAY_NAME
    return nullptr;
}

/// In the order of their names, so that the mutations are the same everywhere.
std::vector<QByteArray> corpusOf(const QString& place)
{
    QStringList paths;
    if (QFileInfo(place).isFile())
        paths << place;
    QDirIterator files(place, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        paths << files.next();
    paths.sort();
    std::vector<QByteArray> inputs;
    for (const QString& path : paths) {
        QFile file(path);
        if (file.open(QIODevice::ReadOnly))
            inputs.push_back(file.read(longestInput));
    }
    return inputs;
}

const QByteArray* current = nullptr; ///< the input that is being read

/// A target that finds two results different ends the program, without a word of which input it
/// was.
void sayInput(int)
{
    if (current)
        std::fprintf(stderr, "aborted at this input of %lld bytes (in hexadecimal):\n%s\n",
            static_cast<long long>(current->size()), current->toHex().constData());
}

bool holds(Target target, const QByteArray& input, const char* what)
{
    current = &input;
    QElapsedTimer timer;
    timer.start();
    target(reinterpret_cast<const uint8_t*>(input.constData()), size_t(input.size()));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    if (timer.elapsed() <= longestTime && usage.ru_maxrss <= mostMemory)
        return true;
    std::fprintf(stderr,
        "%s: %lld ms, %ld MiB for this input of %lld bytes (in hexadecimal):\n%s\n", what,
        static_cast<long long>(timer.elapsed()), usage.ru_maxrss / 1024,
        static_cast<long long>(input.size()), input.left(4096).toHex().constData());
    return false;
}

/// The number of further mutations; -1: one of them failed.
int roundsWithinTime(
    Target target, slipway::Mutations& mutations, const std::vector<QByteArray>& corpus)
{
    const qint64 wanted = 1000 * qEnvironmentVariableIntValue("SLIPWAY_FUZZ_SECONDS");
    QElapsedTimer timer;
    timer.start();
    int rounds = 0;
    for (; timer.elapsed() < wanted; ++rounds)
        if (!holds(target, mutations.of(corpus[size_t(rounds) % corpus.size()]), "mutated"))
            return -1;
    return rounds;
}

} // namespace

int main(int argc, char** argv)
{
    const Target target = argc > 3 ? targetOf(argv[1]) : nullptr;
    if (!target) {
        std::fputs("usage: bounded TARGET ROUNDS FILE|FOLDER…\n", stderr);
        return 2;
    }
    std::signal(SIGABRT, sayInput);
    std::vector<QByteArray> corpus;
    for (int i = 3; i < argc; ++i) {
        const std::vector<QByteArray> some = corpusOf(QString::fromLocal8Bit(argv[i]));
        if (some.empty()) {
            std::fprintf(stderr, "there is no input in %s\n", argv[i]);
            return 2;
        }
        corpus.insert(corpus.end(), some.begin(), some.end());
    }
    for (const QByteArray& input : corpus)
        if (!holds(target, input, "as it is"))
            return 1;
    slipway::Mutations mutations(20'261'122);
    const int rounds = QByteArray(argv[2]).toInt();
    for (int i = 0; i < rounds; ++i)
        if (!holds(target, mutations.of(corpus[size_t(i) % corpus.size()]), "mutated"))
            return 1;
    const int more = roundsWithinTime(target, mutations, corpus);
    if (more < 0)
        return 1;
    std::printf("%zu inputs, %d mutations\n", corpus.size(), rounds + more);
    return 0;
}
