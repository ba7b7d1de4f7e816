// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/cudadrivers.h"

#include <algorithm>

extern "C" {
extern const char slipway_cuda_drivers[];
extern const unsigned slipway_cuda_drivers_size;
}

namespace slipway::probe {

CudaDrivers CudaDrivers::read(std::string_view text)
{
    CudaDrivers table;
    const Json json = Json::read(text).value_or(Json());
    const auto entries = [&](std::string_view name, std::vector<Entry>& list) {
        for (const Json& entry : json[name].items()) {
            const Version cuda = entry["major"].isNumber()
                ? Version{{int(entry["major"].integer())}}
                : Version::of(entry["cuda"].text());
            const Version driver = Version::of(entry["driver"].text());
            if (cuda && driver)
                list.push_back({cuda, driver, entry["unverified"].boolean()});
        }
    };
    entries("families", table.families);
    entries("exact", table.exact);
    entries("native", table.native);
    for (const Json& entry : json["architectures"].items()) {
        const Version capability = Version::of(entry["capability"].text());
        if (capability)
            table.architectures.push_back(
                {capability, entry["name"].text(), Version::of(entry["first"].text()),
                    Version::of(entry["last"].text()), entry["unverified"].boolean()});
    }
    return table;
}

const CudaDrivers& CudaDrivers::own()
{
    static const CudaDrivers table = read({slipway_cuda_drivers, slipway_cuda_drivers_size});
    return table;
}

Version CudaDrivers::oldestDriver(const Version& cuda) const
{
    for (const Entry& entry : exact) {
        if (entry.cuda.major() == cuda.major() && entry.cuda.minor() == cuda.minor())
            return entry.driver;
    }
    for (const Entry& entry : families) {
        if (entry.cuda.major() == cuda.major())
            return entry.driver;
    }
    return {};
}

Version CudaDrivers::nativeCuda(const Version& driver) const
{
    Version best;
    for (const auto* list : {&native, &exact}) {
        for (const Entry& entry : *list) {
            if (driver >= entry.driver && best < entry.cuda)
                best = entry.cuda;
        }
    }
    return best;
}

const CudaDrivers::Architecture* CudaDrivers::architecture(int major, int minor) const
{
    // An unknown minor version belongs to the same family: 8.7 is supported where 8.6 is.
    const Architecture* best = nullptr;
    for (const Architecture& one : architectures) {
        if (one.capability.major() == major && one.capability.minor() <= minor
            && (!best || best->capability < one.capability))
            best = &one;
    }
    return best;
}

namespace {

/// Cards on which NVIDIA supports a newer libcuda than the kernel's driver.
bool isDatacenter(const std::string& name)
{
    for (const char* word : {"GeForce", "TITAN", "Quadro", "RTX"}) {
        if (contains(name, word))
            return false;
    }
    return true;
}

Row compatRow(const ImageOnNode& pair, const std::string& value)
{
    const bool datacenter =
        !pair.gpuNames.empty() && std::ranges::all_of(pair.gpuNames, isDatacenter);
    const std::string fix = "Take the folder of " + pair.compatPath
        + " out of LD_LIBRARY_PATH, or start the image with --env LD_LIBRARY_PATH= and let the "
          "node's own libcuda answer.";
    if (pair.compatError.value_or(0) == 804)
        return Row::fail("image.cuda", value,
            "The image contains a newer libcuda of its own (forward compatibility), which this "
            "kind "
            "of card does not allow (error 804).",
            fix);
    if (pair.compatError.value_or(0) != 0)
        return Row::fail("image.cuda", value,
            "The image contains a libcuda of its own, and it does not start on this node (error "
                + std::to_string(*pair.compatError) + ").",
            fix);
    Row row = Row::ok("image.cuda", value);
    row.why = datacenter
        ? "The image's own libcuda (forward compatibility) stands in for the older driver of the "
          "node."
        : "The image's own libcuda answers; NVIDIA supports that on data-center cards only.";
    row.state = datacenter ? State::Ok : State::Warn;
    if (!datacenter)
        row.fix = fix;
    return row;
}

} // namespace

Row imageCudaRow(const CudaDrivers& table, const ImageOnNode& pair)
{
    const std::string cuda = pair.cuda.shortText();
    const Version can = pair.driverCuda ? pair.driverCuda : table.nativeCuda(pair.driver);
    std::string value = "CUDA " + cuda;
    if (pair.driver)
        value += " on driver " + pair.driver.text();
    if (can)
        value += " (CUDA " + can.shortText() + ")";
    const Version oldest = table.oldestDriver(pair.cuda);
    const auto finish = [&](Row row) {
        row.data.set("image", cuda).set("driver", pair.driver.text());
        if (can)
            row.data.set("driver_cuda", can.shortText());
        if (oldest)
            row.expected = "driver " + oldest.text() + " or newer";
        return row;
    };
    if (!pair.driver && !can)
        return finish(Row::skip("image.cuda",
            "The node's driver is not known, so whether it can run CUDA " + cuda
                + " is not either."));
    const Version wanted{{pair.cuda.major(), pair.cuda.minor()}};
    if (can && can >= wanted && !(pair.compatError.value_or(0) == 804))
        return finish(Row::ok("image.cuda", value));
    if (!pair.compatPath.empty())
        return finish(compatRow(pair, value));
    const bool sameMajor = can ? can.major() == pair.cuda.major() : false;
    const bool known = oldest && pair.driver;
    if ((sameMajor && !known) || (known && pair.cuda.major() >= 11 && pair.driver >= oldest)) {
        Row row = Row::ok("image.cuda", value);
        row.why = "The driver is older than the image's CUDA but of the same family: programs run, "
                  "except what is compiled on the node from newer PTX (error 222) or uses newer "
                  "functions of the driver.";
        return finish(row);
    }
    if (known && pair.driver >= oldest)
        return finish(Row::ok("image.cuda", value));
    if (!known && !can)
        return finish(
            Row::skip("image.cuda", "The table of drivers does not know CUDA " + cuda + "."));
    const std::string needs = oldest ? "The image needs driver " + oldest.text() + " or newer"
                                     : "The image needs a driver for CUDA " + cuda;
    return finish(Row::fail("image.cuda", value,
        needs + ", the node has "
            + (pair.driver ? pair.driver.text() : "one for CUDA " + can.shortText()) + ".",
        can ? "Choose an image with CUDA " + can.shortText()
                + " or older, or a node with a newer driver."
            : "Choose an image with an older CUDA, or a node with a newer driver."));
}

} // namespace slipway::probe
