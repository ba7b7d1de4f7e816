// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/varyingnames.h"

#include <algorithm>
#include <cmath>

namespace slipway {

void VaryingNames::add(Sample&& sample, std::vector<Sample>& out)
{
    const bool isPlain = sample.lane.isEmpty();
    QString& varying = varyingAt(sample.series);
    if (isPlain && varying.constData() == sample.series.constData()) {
        out.push_back(std::move(sample));
        return;
    }
    const size_t key = qHash(sample.series) * 31 + qHash(sample.lane);
    if (m_names.size() >= mostNames && !m_names.contains(key)) {
        out.push_back(std::move(sample));
        return;
    }
    Name& name = m_names[key];
    if (name.varies) {
        if (isPlain)
            varying = sample.series;
        out.push_back(std::move(sample));
        return;
    }
    if (name.held.empty())
        name.first = sample.y;
    const bool isSame = sample.y == name.first || (std::isnan(sample.y) && std::isnan(name.first));
    if (name.held.size() < mostHeld) {
        name.held.push_back(std::move(sample));
    } else {
        name.held[name.next] = std::move(sample);
        name.next = name.next + 1 < mostHeld ? name.next + 1 : 1;
    }
    if (isSame)
        return;
    name.varies = true;
    std::rotate(name.held.begin() + 1, name.held.begin() + static_cast<std::ptrdiff_t>(name.next),
        name.held.end());
    for (Sample& held : name.held)
        out.push_back(std::move(held));
    name.held = {};
}

void VaryingNames::finish(std::vector<Sample>& out)
{
    const size_t before = out.size();
    for (auto& [key, name] : m_names) {
        if (!name.varies && name.held.size() == 1)
            out.push_back(std::move(name.held.front()));
    }
    m_names.clear();
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(),
        [](const Sample& a, const Sample& b) {
            return a.line != b.line ? a.line < b.line : a.series < b.series;
        });
}

} // namespace slipway
