// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/node.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

namespace slipway::probe {

std::string nodeName()
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    const std::string text = name;
    return text.substr(0, text.find('.'));
}

const char* architecture()
{
#if defined(__x86_64__)
    return "x86_64";
#elif defined(__aarch64__)
    return "aarch64";
#endif
}

double wallClock()
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

std::string readFile(const std::string& path, size_t most)
{
    std::string text;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char buffer[16384];
    for (ssize_t n; file >= 0 && text.size() < most && (n = read(file, buffer, sizeof buffer)) > 0;)
        text.append(buffer, size_t(n));
    if (file >= 0)
        close(file);
    return text.substr(0, most);
}

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

} // namespace slipway::probe
