// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Linked as the probe is, to be run on old systems: what a C++ program takes from its C library
// before main, in threads, in exceptions and at its end. Prints a word for each; the last comes
// after main.

#include <sys/stat.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Early {
    std::string text = "constructor";
    ~Early() { std::puts("destructor"); }
} early;

struct PerThread {
    ~PerThread() { std::puts("thread-local"); }
    int value = 7;
};
thread_local PerThread perThread;

bool throws()
{
    try {
        throw std::runtime_error("x");
    } catch (const std::exception& error) {
        return std::string(error.what()) == "x";
    }
}

} // namespace

int main()
{
    std::puts(early.text.c_str());
    if (throws())
        std::puts("exception");
    bool inThread = false;
    std::thread thread([&] { inThread = throws() && perThread.value == 7; });
    thread.join();
    if (inThread)
        std::puts("thread");
    std::mutex mutex;
    std::condition_variable condition;
    std::unique_lock lock(mutex);
    const auto begin = std::chrono::steady_clock::now();
    condition.wait_for(lock, std::chrono::milliseconds(30), [] { return false; });
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (waited > std::chrono::milliseconds(25) && waited < std::chrono::seconds(2))
        std::puts("wait");
    std::random_device random;
    if (random() != random() || random() != random())
        std::puts("random");
    struct stat root { };
    if (stat("/", &root) == 0 && S_ISDIR(root.st_mode))
        std::puts("stat");
    std::vector<int> many(1000, 1);
    try {
        many.at(2000) = 1;
    } catch (const std::out_of_range&) {
        std::puts("library-exception");
    }
}
