// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/facts.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace slipway::probe {

namespace {

const char* const askForAnotherNode =
    "Request another node (sbatch --exclude=NODE) and report this node to the site.";

std::string elsewhere(const Facts& facts)
{
    std::string fix = askForAnotherNode;
    if (!facts.nodeName.empty())
        fix.replace(fix.find("NODE"), 4, facts.nodeName);
    return fix;
}

bool inContainer(const Facts& facts)
{
    return facts.place == Place::Container;
}

/// The node's kernel has the driver, whatever the container was given.
bool kernelHasDriver(const Facts& facts)
{
    return facts.devices.driver || facts.devices.cards() > 0;
}

/// No GPU is expected here: a job that requested none, or a node without one.
bool unasked(const Facts& facts)
{
    return !facts.slurm.asksGpu && (facts.slurm.inJob || facts.devices.cards() == 0);
}

Row noGpu(const char* id, const Facts& facts)
{
    return Row::skip(id, facts.whyWithoutGpu());
}

} // namespace

bool Facts::withoutGpu() const
{
    const bool sign = devices.driver || devices.cards() > 0 || !cuda.path.empty()
        || !nvml.path.empty() || slurm.asksGpu || !devices.trouble.empty() || !cuda.trouble.empty();
    return !sign;
}

std::string Facts::whyWithoutGpu() const
{
    if (slurm.inJob)
        return "The job requested no GPU, and this node shows none.";
    return devices.onBus > 0 ? "The node has an NVIDIA card, but no driver is loaded for it; "
                               "outside of a job this is not a fault."
                             : "There is no NVIDIA driver on this node; a login node needs none.";
}

std::string Facts::driverVersion() const
{
    return devices.driver ? devices.driver->version : nvml.driver;
}

Row driverVersionRow(const Facts& facts)
{
    const std::string version = facts.driverVersion();
    if (!facts.devices.trouble.empty() && version.empty()) {
        return Row::fail("driver.version", {},
            "Looking at the driver's files " + facts.devices.trouble + ".", elsewhere(facts));
    }
    if (version.empty() && facts.slurm.asksGpu) {
        return Row::fail("driver.version", "none",
            "The job has a GPU according to Slurm, and the node has no NVIDIA driver loaded"
                + std::string(facts.devices.onBus > 0 ? ", though it has a card." : "."),
            elsewhere(facts));
    }
    if (version.empty())
        return noGpu("driver.version", facts);
    const Version kernel = Version::of(facts.devices.driver ? facts.devices.driver->version : ""),
                  library = Version::of(facts.nvml.driver);
    Row row = Row::ok("driver.version", version);
    if (facts.devices.driver)
        row.data.set("kernel", facts.devices.driver->version)
            .set("open", facts.devices.driver->open);
    if (library)
        row.data.set("library", facts.nvml.driver);
    if (facts.nvml.init == 18 || (kernel && library && !(kernel == library))) {
        row.state = State::Fail;
        row.why = "The driver in the kernel (" + (kernel ? kernel.text() : std::string("unknown"))
            + ") is not the one that the libraries are of"
            + (library ? " (" + library.text() + ")" : std::string())
            + ": it was updated without a restart.";
        row.fix = elsewhere(facts);
    }
    return row;
}

Row libcudaRow(const Facts& facts)
{
    const CudaFacts& cuda = facts.cuda;
    if (!cuda.path.empty()) {
        Row row = Row::ok("lib.libcuda", cuda.path);
        row.data.set("path", cuda.path);
        if (contains(cuda.path, "/stubs/")) {
            return Row::fail("lib.libcuda", cuda.path,
                "This is the CUDA toolkit's stub, which is there to link against and has no driver "
                "behind it.",
                "Remove the folder that ends in /stubs from LD_LIBRARY_PATH.");
        }
        if (cuda.compat()) {
            row.why = "It is the image's own libcuda (forward compatibility), not the node's.";
            row.data.set("compat", true);
        }
        return row;
    }
    if (!cuda.trouble.empty() && cuda.loadError.empty())
        return Row::fail(
            "lib.libcuda", {}, "Opening libcuda.so.1 " + cuda.trouble + ".", elsewhere(facts));
    const std::string& error = cuda.loadError;
    Row row = Row::fail("lib.libcuda", "not found", error, {});
    row.data.set("error", error);
    if (contains(error, "file too short")) {
        row.value = "an empty file";
        row.why = "The image has an empty libcuda.so.1: it was saved from a container that ran "
                  "with the GPU.";
        row.fix = "Remove the empty libcuda.so* and libnvidia* files from the image, and build it "
                  "without the GPU runtime.";
    } else if (contains(error, "wrong ELF class") || contains(error, "GLIBC_")
        || (!error.empty() && !contains(error, "cannot open shared object file"))) {
        row.value = "cannot be opened";
        row.fix = inContainer(facts) ? "Use an image of the node's architecture with a glibc at "
                                       "least as new as the driver requires."
                                     : elsewhere(facts);
    } else if (facts.slurm.inJob && !facts.slurm.asksGpu) {
        row = Row::skip("lib.libcuda",
            "The job requested no GPU, and libcuda.so.1 is not "
                + std::string(inContainer(facts) ? "in the container." : "on this node."));
        row.data.set("error", error);
    } else if (inContainer(facts) && (kernelHasDriver(facts) || facts.slurm.asksGpu)) {
        row.why = kernelHasDriver(facts)
            ? "The node has the driver, and the container was started without it."
            : "The job has a GPU, and the container was started without the driver.";
        row.fix = gpuSwitch(facts.runtime);
    } else if (kernelHasDriver(facts) || facts.slurm.asksGpu) {
        row.why = kernelHasDriver(facts)
            ? "The kernel has the driver, and its library libcuda.so.1 is nowhere that the loader "
              "looks."
            : "The job has a GPU according to Slurm, and the node has no libcuda.so.1.";
        row.fix = elsewhere(facts);
    } else {
        const Json data = row.data;
        row = noGpu("lib.libcuda", facts);
        row.data = data;
    }
    return row;
}

namespace {

struct CudaError {
    int code;
    const char *why, *fix;
};

/// The meaning of cuInit errors on a node; fix empty: use another node.
constexpr CudaError cudaErrors[] = {
    {2, "The card is full or the driver is out of memory.", ""},
    {3, "The driver's interface did not start.", ""},
    {34, "The libcuda that answered is the toolkit's stub.",
        "Remove the folder that ends in /stubs from LD_LIBRARY_PATH."},
    {46, "The card is used by another process, or allows none (its compute mode).", ""},
    {100, "CUDA finds no card that this process may use.", ""},
    {101, "CUDA_VISIBLE_DEVICES names a card that is not there.",
        "Unset CUDA_VISIBLE_DEVICES in the job."},
    {222, "The kernel's PTX is newer than the driver.", ""},
    {304, "A call to the operating system failed: often /dev/nvidia-uvm is missing.", ""},
    {802,
        "The card's links are not ready: on a node with NVSwitch the fabric manager does not run.",
        ""},
    {803,
        "The driver in the kernel and libcuda are of two versions: it was updated without a "
        "restart.",
        ""},
    {804,
        "The image contains a newer libcuda (forward compatibility), which this card does not "
        "allow.",
        "Remove the image's /usr/local/cuda/compat from LD_LIBRARY_PATH."},
    {805, "The daemon that shares the card (MPS) could not be reached.",
        "Unset CUDA_MPS_PIPE_DIRECTORY, or start nvidia-cuda-mps-control in the job."},
    {999,
        "The driver failed without a reason: often /dev/nvidia-uvm is missing, or the card fell "
        "off its bus.",
        ""},
};

/// Why CUDA finds no GPU, from other facts.
void explainNoDevice(const Facts& facts, Row& row)
{
    if (facts.cudaMask.hidesAll()) {
        row.why = "CUDA_VISIBLE_DEVICES is set to \"" + facts.cudaMask.text
            + "\", which hides every card.";
        row.fix = facts.slurm.asksGpu ? "Unset CUDA_VISIBLE_DEVICES in the job."
                                      : "Request a GPU: --gres=gpu:1.";
        if (!facts.slurm.asksGpu && facts.slurm.inJob)
            row.state = State::Skip;
    } else if (unasked(facts)) {
        row.state = State::Skip;
        row.why = facts.slurm.inJob ? "The job requested no GPU."
                                    : "This node has the driver's library and no card.";
        row.fix = facts.slurm.inJob ? "Request one if the program needs it: --gres=gpu:1." : "";
    } else if (inContainer(facts) && facts.devices.cards() == 0) {
        row.why = "The container has libcuda and no /dev/nvidia0: the devices were not passed in.";
        row.fix = gpuSwitch(facts.runtime);
    } else if (facts.cudaMask.set && !facts.cudaMask.entries.empty()) {
        row.why = "CUDA_VISIBLE_DEVICES=" + facts.cudaMask.text
            + " names no card that this process may use.";
        row.fix = "Unset CUDA_VISIBLE_DEVICES in the job, or name the cards by their UUIDs.";
    }
}

} // namespace

Row driverCudaRow(const Facts& facts)
{
    const CudaFacts& cuda = facts.cuda;
    if (cuda.path.empty()) {
        return facts.withoutGpu()
            ? noGpu("driver.cuda", facts)
            : Row::skip("driver.cuda", "This cannot be checked without libcuda.so.1.");
    }
    Row row = Row::ok("driver.cuda", cuda.version ? cudaVersionText(*cuda.version) : std::string());
    row.data.set("version", cuda.version).set("library", cuda.path);
    if (cuda.compat() && cuda.ownVersion) {
        row.data.set("own_version", *cuda.ownVersion).set("own_library", cuda.ownPath);
        row.why = "The image's libcuda says so (forward compatibility); the node's own says "
            + cudaVersionText(*cuda.ownVersion) + ".";
    }
    if (!cuda.trouble.empty()) {
        row.state = unasked(facts) ? State::Warn : State::Fail;
        row.why = "libcuda " + cuda.trouble + ".";
        row.fix = elsewhere(facts);
        return row;
    }
    if (cuda.init.value_or(0) == 0)
        return row;
    const std::string name = cuda.initName.empty()
        ? "CUDA error " + std::to_string(*cuda.init)
        : cuda.initName + " (" + std::to_string(*cuda.init) + ")";
    row.state = State::Fail;
    row.data.set("error", *cuda.init);
    row.why =
        "cuInit returned " + name + (cuda.initText.empty() ? "." : ": " + cuda.initText + ".");
    row.fix = elsewhere(facts);
    for (const CudaError& error : cudaErrors) {
        if (error.code == *cuda.init) {
            row.why = std::string(error.why) + " (" + name + ")";
            row.fix = *error.fix ? error.fix : row.fix;
        }
    }
    if (*cuda.init == 100) {
        explainNoDevice(facts, row);
    } else if (unasked(facts)) {
        row.state = State::Skip;
        row.why = (facts.slurm.inJob ? "The job requested no GPU, and CUDA does not start: "
                                     : "There is no card here, and CUDA does not start: ")
            + name + '.';
        row.fix.clear();
    }
    return row;
}

namespace {

void explainNode(const Facts& facts, const DeviceNode& node, Row& row)
{
    row.state = State::Fail;
    if (node.error == EPERM) {
        row.why = node.path + " is refused by the job's device rules (EPERM).";
        row.fix = facts.slurm.asksGpu ? "Start the program inside the job's step (srun), or ask "
                                        "the site: according to Slurm, the card belongs to the job."
                                      : "Request the GPU: --gres=gpu:1.";
    } else if (node.error == EACCES) {
        row.why = node.path + " may not be opened by this user (EACCES).";
        row.fix = "Ask the site which group has the cards, and to be in it.";
    } else {
        row.why = node.path + " cannot be opened (" + std::strerror(node.error) + ").";
        row.fix = elsewhere(facts);
    }
}

} // namespace

Row deviceNodesRow(const Facts& facts)
{
    const DeviceFacts& devices = facts.devices;
    if (!devices.trouble.empty())
        return Row::fail(
            "dev.nodes", {}, "Opening the device files " + devices.trouble + ".", elsewhere(facts));
    const int cards = devices.cards();
    if (cards == 0 && facts.withoutGpu())
        return noGpu("dev.nodes", facts);
    Row row = Row::ok("dev.nodes", counted(cards, "card"));
    Json::Array refused;
    int open = 0;
    for (const DeviceNode& node : devices.nodes) {
        if (node.error)
            refused.push_back(node.path);
        else if (wholeNumber(
                     std::string_view(node.path).substr(std::min<size_t>(11, node.path.size()))))
            ++open;
    }
    row.data.set("cards", cards).set("open", open).set("refused", refused);
    if (cards == 0 && facts.cuda.usable())
        return Row::skip(
            "dev.nodes", "CUDA answers without device files of its own, as under Windows' Linux.");
    if (cards == 0) {
        if (!facts.slurm.asksGpu)
            return Row::skip("dev.nodes",
                facts.slurm.inJob ? "The job requested no GPU, and no card is shown to it."
                                  : "No card is shown to this process.");
        row = Row::fail("dev.nodes", "none",
            "The job has a GPU according to Slurm, and there is no /dev/nvidia0"
                + std::string(inContainer(facts) ? " in the container." : "."),
            inContainer(facts) ? gpuSwitch(facts.runtime) : elsewhere(facts));
        return row;
    }
    if (open < cards)
        row.value += ", " + std::to_string(open) + " may be opened";
    // With device rules the job's own GPUs can be opened and the others cannot: this is correct.
    const bool asked = facts.slurm.asksGpu || !facts.slurm.inJob;
    const DeviceNode* control = devices.node("/dev/nvidiactl");
    const DeviceNode* uvm = devices.node("/dev/nvidia-uvm");
    if (control && control->error)
        explainNode(facts, *control, row);
    else if (uvm && uvm->error && asked)
        explainNode(facts, *uvm, row);
    else if (open == 0 && asked)
        explainNode(facts,
            *std::ranges::find_if(
                devices.nodes, [](const DeviceNode& node) { return node.error != 0; }),
            row);
    else if (!uvm && asked && open > 0) {
        row.state = State::Warn;
        row.why =
            "There is no /dev/nvidia-uvm, without which CUDA does not start (error 999 or 304).";
        row.fix = inContainer(facts)
            ? gpuSwitch(facts.runtime)
            : "Ask the site to load the module nvidia-uvm at boot (nvidia-modprobe -u -c=0).";
    } else if (facts.nvml.usable() && facts.nvml.count && open > 0 && *facts.nvml.count != open) {
        row.state = State::Warn;
        row.why = "NVML counts " + counted(*facts.nvml.count, "card") + ", and "
            + counted(open, "device file") + " can be opened.";
        row.fix =
            "Compare nvidia-smi -L with ls -l /dev/nvidia*: a card may have fallen off its bus.";
    }
    return row;
}

Row nvmlRow(const Facts& facts)
{
    const NvmlFacts& nvml = facts.nvml;
    if (nvml.path.empty() && nvml.trouble.empty()) {
        if (facts.withoutGpu())
            return noGpu("lib.nvml", facts);
        Row row = Row::skip("lib.nvml",
            "libnvidia-ml.so.1 is not here, so temperature, power, clocks and memory errors are "
            "unknown; programs do not need it.");
        row.data.set("error", nvml.loadError);
        return row;
    }
    Row row = Row::ok("lib.nvml", nvml.path);
    if (!nvml.trouble.empty()) {
        row.state = unasked(facts) ? State::Warn : State::Fail;
        row.why = "NVML " + nvml.trouble + ".";
        row.fix = elsewhere(facts);
    } else if (!nvml.usable()) {
        row.state = unasked(facts) ? State::Skip : State::Fail;
        row.why = "nvmlInit returned "
            + (nvml.initText.empty() ? std::to_string(nvml.init.value_or(-1)) : nvml.initText)
            + ".";
        row.fix = row.state == State::Fail ? elsewhere(facts) : std::string();
        row.data.set("error", nvml.init);
    }
    return row;
}

} // namespace slipway::probe
