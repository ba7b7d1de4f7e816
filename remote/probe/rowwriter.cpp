// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/rowwriter.h"

#include "remote/probe/node.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace slipway::probe {

RowWriter::RowWriter(const std::string& file)
{
    if (file.empty())
        return;
    _file = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    _broken = _file < 0;
    if (_broken)
        std::fprintf(
            stderr, "slipway-probe: cannot write %s: %s\n", file.c_str(), std::strerror(errno));
}

RowWriter::~RowWriter()
{
    if (_file > 2)
        close(_file);
}

// Each line is one write, so that lines of two nodes that append to one file are not mixed.
void RowWriter::write(int file, const std::string& line)
{
    const std::string text = line + '\n';
    for (size_t at = 0; at < text.size() && file >= 0;) {
        const ssize_t n = ::write(file, text.data() + at, text.size() - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            _broken = true;
            return;
        }
        at += size_t(n);
    }
}

void RowWriter::begin(const char* level, const char* where)
{
    Row row = Row::ok("probe", SLIPWAY_VERSION);
    row.data.set("protocol", 1).set("level", level).set("where", where).set("node", nodeName());
    row.data.set("arch", architecture()).set("t", wallClock());
    write(_file, row.toJson().write());
}

void RowWriter::add(const Row& row)
{
    _count.add(row.state);
    write(_file, row.toJson().write());
    // On a node without a GPU most checks are skipped for one reason, which is printed once.
    const bool printed = row.state == State::Skip
        && std::find(_reasons.begin(), _reasons.end(), row.why) != _reasons.end();
    if (!printed)
        say(row.readable());
    if (row.state == State::Skip)
        _reasons.push_back(row.why);
}

void RowWriter::end()
{
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - _begin;
    const Row row = _count.end(seconds.count());
    write(_file, row.toJson().write());
    char text[160];
    std::snprintf(text, sizeof text,
        "slipway-probe: %d ok, %d warnings, %d failures, %d left out, %.1f s", _count.ok,
        _count.warn, _count.fail, _count.skip, seconds.count());
    say(text);
}

void RowWriter::say(const std::string& line)
{
    if (_file != 1)
        write(1, line);
}

int RowWriter::exitCode() const
{
    return _broken ? 3 : _count.fail ? 1 : 0;
}

} // namespace slipway::probe
