// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/cudatable.h"

#include <algorithm>

extern "C" {
extern const char slipway_cuda_drivers[];
extern const unsigned slipway_cuda_drivers_size;
}

namespace slipway {

using probe::CudaDrivers;
using probe::Version;

Version cudaVersion(const QString& text)
{
    Version version = Version::of(text.toStdString());
    if (version.numbers.size() > 2)
        version.numbers.resize(2);
    return version;
}

QString versionText(const Version& version)
{
    return QString::fromStdString(version.text());
}

QString cudaDocument(const char* source)
{
    static const probe::Json sources = [] {
        const std::string_view text(slipway_cuda_drivers, slipway_cuda_drivers_size);
        return probe::Json::read(text).value_or(probe::Json())["sources"];
    }();
    return QString::fromStdString(std::string(sources[source].text()));
}

QString OldestDriver::source() const
{
    return cudaDocument(unverified ? "general" : ofFamily ? "compatibility" : "releases");
}

OldestDriver oldestDriverFor(const Version& cuda)
{
    const CudaDrivers& table = CudaDrivers::own();
    for (const CudaDrivers::Entry& entry : table.exact)
        if (entry.cuda == cuda)
            return {entry.driver, entry.unverified, false};
    for (const CudaDrivers::Entry& entry : table.families)
        if (entry.cuda.major() == cuda.major())
            return {entry.driver, entry.unverified, true};
    return {};
}

const CudaDrivers::Entry* newestFamily()
{
    const auto& families = CudaDrivers::own().families;
    const auto newest = std::max_element(families.begin(), families.end(),
        [](const auto& a, const auto& b) { return a.cuda < b.cuda; });
    return newest == families.end() ? nullptr : &*newest;
}

bool coversItsFamily(const Version& cuda)
{
    const OldestDriver oldest = oldestDriverFor(Version{{cuda.major()}});
    for (const CudaDrivers::Entry& entry : CudaDrivers::own().native)
        if (entry.cuda == cuda)
            return oldest.driver && entry.driver >= oldest.driver;
    return oldest.driver && cuda.minor() > 0;
}

const CudaDrivers::Architecture* droppedBy(
    const Version& cuda, const CudaDrivers::Architecture& gpus)
{
    const CudaDrivers::Architecture* found = nullptr;
    for (const CudaDrivers::Architecture& one : CudaDrivers::own().architectures) {
        const bool isDropped = one.capability >= gpus.capability && one.last && one.last < cuda;
        if (isDropped && (!found || (found->unverified && !one.unverified)))
            found = &one;
    }
    return found;
}

Version firstCodeFor(const CudaDrivers::Architecture& gpus)
{
    Version first = gpus.first;
    for (const CudaDrivers::Architecture& one : CudaDrivers::own().architectures)
        if (one.capability.major() == gpus.capability.major() && gpus.capability >= one.capability
            && one.first < first)
            first = one.first;
    return first;
}

} // namespace slipway
