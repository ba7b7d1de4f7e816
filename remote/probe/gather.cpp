// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/gather.h"

#include "remote/probe/core/programs.h"
#include "remote/probe/node.h"

#include <unistd.h>

#include <algorithm>
#include <list>

namespace slipway::probe {

namespace {

constexpr double otherDeadline =
    2.2; ///< s for everything but drivers: the level quick should take three

/// A program whose version is queried in parallel.
struct Question {
    std::string name;
    Child child;
};

void startProgram(Question& question, std::vector<std::string> command)
{
    question.name = command[0];
    question.child.start(
        [command](const ChildPipe& pipe) {
            const ProgramResult result = runProgram(command, otherDeadline);
            pipe.send(Json()
                          .set("found", result.found)
                          .set("late", result.late)
                          .set("output", result.output));
        },
        otherDeadline + 0.2);
}

struct Answer {
    bool found = false, late = false;
    std::string output;
};

Answer answerOf(Question& question)
{
    const ChildResult& result = question.child.wait();
    if (result.lines.empty())
        return {true, !result.done(), {}};
    const Json& line = result.lines.front();
    return {line["found"].boolean(), line["late"].boolean(), line["output"].text()};
}

/// All parallel queries. It lives for one call of gatherFacts.
class Gathering {
public:
    explicit Gathering(const Settings& settings)
        : _settings(settings)
    {
        _facts.place = settings.place;
        _facts.nodeName = nodeName();
        _facts.deadline = settings.deadline;
        _facts.slurm = SlurmEnv::of(processEnvironment());
        if (!_facts.slurm.nodeName.empty())
            _facts.nodeName = _facts.slurm.nodeName;
        _facts.cudaMask = GpuMask::of(processEnvironment()("CUDA_VISIBLE_DEVICES"));
        start();
    }

    Facts take()
    {
        _facts.node = readNode();
        takeImage();
        takePrograms();
        takeDisks();
        takeDrivers();
        return std::move(_facts);
    }

private:
    void start()
    {
        const double deadline = _settings.deadline;
        _nvml.start(collectNvml, deadline);
        _cuda.start(collectCuda, deadline);
        _devices.start(collectDevices, deadline);
        if (_settings.place == Place::Container)
            _image.start(collectImage, otherDeadline);
        else
            startRuntimes();
        startProgram(_questions.emplace_back(), {"mpirun", "--version"});
        DiskClaims& claims = DiskClaims::shared();
        for (const auto& [label, path] : diskPlaces()) {
            Question& disk = _disks.emplace_back();
            disk.name = label;
            DiskFacts& facts = _facts.disks.emplace_back();
            facts.label = label;
            facts.path = path;
            disk.child.start(
                [path, &claims](const ChildPipe& pipe) { collectDisk(pipe, path, claims); },
                deadline);
        }
    }

    void startRuntimes()
    {
        for (const char* name : {"apptainer", "singularity", "enroot", "podman", "docker", "ch-run",
                 "shifter", "nvidia-container-cli"}) {
            const std::string verb = name == std::string("enroot") ? "version" : "--version";
            startProgram(_questions.emplace_back(), {name, verb});
        }
        startProgram(_questions.emplace_back(), {"srun", "--mpi=list"});
        _help.name = "srun";
        startProgram(_help, {"srun", "--help"});
    }

    void takeImage()
    {
        _facts.runtime = _settings.runtime.empty() ? containerRuntimeHere() : _settings.runtime;
        _facts.image = cudaOfEnvironment(processEnvironment());
        if (_settings.place != Place::Container)
            return;
        for (const Json& line : _image.wait().lines) {
            if (!_facts.image.version)
                _facts.image = {Version::of(line["version"].text()), line["source"].text()};
        }
    }

    void takePrograms()
    {
        for (Question& question : _questions) {
            const Answer answer = answerOf(question);
            if (!answer.found)
                continue;
            if (question.name == "srun") {
                MpiList list = readMpiList(answer.output);
                _facts.srun = {"srun", {}, answer.late};
                _facts.mpiKinds = std::move(list.kinds);
                _facts.mpiVersions = std::move(list.versions);
            } else if (question.name == "mpirun") {
                _facts.mpirun = {"mpirun", mpiVersionIn(answer.output), answer.late};
            } else {
                _facts.runtimes.push_back({question.name, versionIn(answer.output), answer.late});
            }
        }
        if (_settings.place == Place::Host)
            _facts.pyxis = contains(answerOf(_help).output, "--container-image");
    }

    void takeDisks()
    {
        auto facts = _facts.disks.begin();
        for (Question& disk : _disks) {
            const ChildResult& result = disk.child.wait();
            for (const Json& line : result.lines) {
                const auto take = [&](const char* name, std::optional<double>& into) {
                    if (line[name].isNumber())
                        into = line[name].number();
                };
                take("free", facts->free);
                take("total", facts->total);
                take("files", facts->inodesFree);
                take("write", facts->writeRate);
                facts->type = line["type"].text(facts->type);
                facts->noexec = line["noexec"].boolean(facts->noexec);
                facts->error = line["error"].text(facts->error);
            }
            facts->begun = !result.stage.empty();
            facts->trouble = result.trouble();
            ++facts;
        }
    }

    void takeDrivers()
    {
        const ChildResult& devices = _devices.wait();
        if (!devices.lines.empty())
            _facts.devices = DeviceFacts::of(devices.lines.back());
        _facts.devices.trouble = devices.trouble();
        const ChildResult& nvml = _nvml.wait();
        _facts.nvml = NvmlFacts::of(nvml.lines);
        _facts.nvml.trouble = nvml.trouble();
        const ChildResult& cuda = _cuda.wait();
        _facts.cuda = CudaFacts::of(cuda.lines);
        _facts.cuda.trouble = cuda.trouble();
        const std::string own = _facts.cuda.compat() ? ownLibcuda() : std::string();
        if (own.empty())
            return;
        const ChildResult version = runInChild(
            [&](const ChildPipe& pipe) { collectCudaVersion(pipe, own); }, otherDeadline);
        if (!version.lines.empty()) {
            _facts.cuda.ownPath = own;
            _facts.cuda.ownVersion = int(version.lines.front()["version"].integer());
        }
    }

    const Settings& _settings;
    Facts _facts;
    Child _nvml, _cuda, _devices, _image;
    Question _help;
    std::list<Question> _questions, _disks;
};

} // namespace

std::string containerRuntimeHere()
{
    std::vector<std::string> marks;
    for (const char* path :
        {"/.singularity.d", "/.dockerenv", "/run/.containerenv", "/etc/enroot", "/.enroot"}) {
        if (access(path, F_OK) == 0)
            marks.emplace_back(path);
    }
    return containerRuntime(processEnvironment(), marks);
}

Facts gatherFacts(const Settings& settings)
{
    return Gathering(settings).take();
}

} // namespace slipway::probe
