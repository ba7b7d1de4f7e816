// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/programs.h"

#include "remote/probe/core/text.h"

#include <algorithm>

namespace slipway::probe {

std::string versionIn(std::string_view output)
{
    for (const std::string& line : split(output, '\n')) {
        for (std::string& word : split(line, ' ')) {
            const size_t at = word.find_first_of("0123456789");
            const size_t dot = at == word.npos ? at : word.find('.', at);
            const bool version = dot != word.npos && (at == 0 || (at == 1 && word[0] == 'v'))
                && dot + 1 < word.size() && word[dot + 1] >= '0' && word[dot + 1] <= '9';
            if (version)
                return word.substr(at, word.find_first_not_of("0123456789.", at) - at);
        }
    }
    return {};
}

std::string mpiVersionIn(std::string_view output)
{
    const std::vector<std::string> lines = split(output, '\n');
    for (const std::string& line : lines) {
        if (const size_t at = line.find("(Open MPI)"); at != line.npos)
            return "Open MPI " + versionIn(line.substr(at));
        if (contains(line, "Intel(R) MPI"))
            return "Intel MPI "
                + (versionIn(line).empty() ? std::string(trimmed(line.substr(
                       line.find("Version") == line.npos ? 0 : line.find("Version") + 7)))
                                           : versionIn(line));
    }
    if (contains(output, "HYDRA"))
        return "MPICH " + valueOf(output, "Version");
    return lines.empty() ? std::string() : lines[0].substr(0, 80);
}

MpiList readMpiList(std::string_view output)
{
    MpiList list;
    // "MPI plugin types are...", one a line; older: "srun: MPI types are...", "srun: pmi2". Then
    // "specific pmix plugin versions available: pmix_v4,pmix_v5".
    for (std::string line : split(output, '\n')) {
        if (line.starts_with("srun:"))
            line = std::string(trimmed(std::string_view(line).substr(5)));
        if (const size_t colon = line.find("versions available:"); colon != line.npos) {
            list.versions = split(std::string_view(line).substr(colon + 19), ',');
            continue;
        }
        const bool plain = !line.empty()
            && line.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == line.npos;
        if (plain && line.size() < 40 && std::ranges::find(list.kinds, line) == list.kinds.end())
            list.kinds.push_back(line);
    }
    return list;
}

} // namespace slipway::probe
