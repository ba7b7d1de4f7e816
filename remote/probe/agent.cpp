// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/agent.h"

#include "remote/probe/core/sample.h"
#include "remote/probe/gather.h"
#include "remote/probe/node.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>

namespace slipway::probe {

namespace {

constexpr double silenceTimeout =
    5; ///< s without an answer from NVML, after which it counts as hanging

double steadyNow()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Sampler is the child that queries NVML repeatedly, one line of GPUs each time: a driver that
/// hangs or crashes affects only this child and not the agent. Owned by the agent, used by its only
/// thread.
class Sampler {
public:
    ~Sampler() { end(); }

    void start(double every)
    {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return;
        const pid_t parent = getpid();
        _pid = fork();
        if (_pid == 0) {
            close(ends[0]);
            ask(ends[1], every, parent);
        }
        close(ends[1]);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        _file = ends[0];
        _heard = steadyNow();
    }

    int file() const { return _file; }
    /// Reads the available output; false: it has ended.
    bool read()
    {
        char buffer[16384];
        ssize_t n = 0;
        while ((n = ::read(_file, buffer, sizeof buffer)) > 0) {
            _partial.append(buffer, size_t(n));
            _heard = steadyNow();
        }
        for (size_t end; (end = _partial.find('\n')) != _partial.npos; _partial.erase(0, end + 1)) {
            if (const std::optional<Json> line =
                    Json::read(std::string_view(_partial).substr(0, end)))
                take(*line);
        }
        return n < 0 && (errno == EAGAIN || errno == EINTR);
    }
    void end()
    {
        if (_pid > 0) {
            kill(-_pid, SIGKILL);
            kill(_pid, SIGKILL);
            // A child that is blocked in the kernel is not waited for.
            for (int i = 0; i < 200 && waitpid(_pid, nullptr, WNOHANG) == 0; ++i)
                usleep(1000);
        }
        if (_file >= 0)
            close(_file);
        _pid = _file = -1;
    }
    bool silent() const { return _pid > 0 && steadyNow() - _heard > silenceTimeout; }

    std::vector<NvmlGpu> gpus;
    std::string why; ///< why there are no GPUs

private:
    [[noreturn]] static void ask(int file, double every, pid_t parent)
    {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        const int nothing = open("/dev/null", O_RDWR);
        for (const int standard : {0, 1, 2})
            dup2(nothing, standard);
        const ChildPipe pipe(file);
        const Nvml nvml;
        if (!nvml) {
            pipe.send(Json().set("why", "libnvidia-ml.so.1 is not here: " + nvml.library.error()));
            _exit(0);
        }
        if (const int error = nvml.init(); error != nvmlSuccess) {
            pipe.send(Json().set("why", "NVML does not start: " + nvml.errorText(error)));
            _exit(0);
        }
        for (;;) {
            unsigned count = 0;
            Json::Array cards;
            nvml.count(&count);
            for (unsigned i = 0; i < std::min(count, 64u); ++i) {
                NvmlDevice device = nullptr;
                if (nvml.handleByIndex(i, &device) == nvmlSuccess)
                    cards.push_back(readNvmlGpu(nvml, device, int(i), false).toJson());
            }
            pipe.send(Json().set("cards", cards));
            usleep(useconds_t(std::min(every, 1.0) * 0.9e6));
        }
    }

    void take(const Json& line)
    {
        if (line["why"].isString())
            why = line["why"].text();
        if (!line["cards"].isArray())
            return;
        gpus.clear();
        for (const Json& card : line["cards"].items())
            gpus.push_back(NvmlGpu::of(card));
    }

    pid_t _pid = -1;
    int _file = -1;
    double _heard = 0;
    std::string _partial;
};

/// Agent is the main loop: a sample at each tick, until it is signalFd to end.
class Agent {
public:
    explicit Agent(double every)
        : _every(every)
    {
    }

    int run()
    {
        sigset_t signals;
        sigemptyset(&signals);
        for (const int one : {SIGTERM, SIGHUP, SIGINT})
            sigaddset(&signals, one);
        sigprocmask(SIG_BLOCK, &signals, nullptr);
        signal(SIGPIPE, SIG_IGN);
        const int signalFd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
        _sampler.start(_every);
        // The GPUs that CUDA lets the job use are queried once, in parallel to the samples.
        _cuda.start(collectCuda, 10);
        _times = readCpuTimes(readFile("/proc/stat", 8 << 20));
        const double begin = steadyNow();
        for (double next = begin + untilNextSample(begin, _every, begin);;) {
            pollfd waiting[] = {{0, POLLIN, 0}, {signalFd, POLLIN, 0}, {_sampler.file(), POLLIN, 0},
                {_cuda.file(), POLLIN, 0}};
            const double left = next - steadyNow();
            if (left > 0)
                poll(waiting, 4, int(std::ceil(left * 1000)));
            if (waiting[1].revents || (waiting[0].revents && inputClosed()))
                return 0;
            if (waiting[2].revents && !_sampler.read())
                lose("NVML crashed, or ended the program.");
            if (_sampler.silent())
                lose("NVML does not answer.");
            if (_cuda.running() && _cuda.ready())
                takeCuda();
            if (steadyNow() < next)
                continue;
            if (!sample())
                return 0;
            next += untilNextSample(begin, _every, steadyNow()) - (next - steadyNow());
        }
    }

private:
    static bool inputClosed()
    {
        char buffer[4096];
        const ssize_t n = read(0, buffer, sizeof buffer);
        return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
    }

    static bool writeLine(const Json& json)
    {
        const std::string line = json.write() + '\n';
        for (size_t at = 0; at < line.size();) {
            const ssize_t n = write(1, line.data() + at, line.size() - at);
            if (n < 0 && errno != EINTR)
                return false;
            at += n > 0 ? size_t(n) : 0;
        }
        return true;
    }

    void lose(const std::string& why)
    {
        _sampler.end();
        _sampler.gpus.clear();
        if (_sampler.why.empty())
            _sampler.why = why;
    }

    void takeCuda()
    {
        const CudaFacts facts = CudaFacts::of(_cuda.wait().lines);
        for (const CudaGpu& gpu : facts.gpus)
            _cards.push_back(gpu.card.empty() ? gpu.uuid : gpu.card);
    }

    std::vector<NvmlGpu> ownGpus() const
    {
        if (_cards.empty())
            return jobsGpus(
                _sampler.gpus, GpuMask::of(processEnvironment()("CUDA_VISIBLE_DEVICES")));
        std::vector<NvmlGpu> own;
        for (const std::string& card : _cards) {
            const auto it = std::ranges::find(_sampler.gpus, card, &NvmlGpu::uuid);
            if (it != _sampler.gpus.end()
                && std::ranges::find(own, card, &NvmlGpu::uuid) == own.end())
                own.push_back(*it);
        }
        return own;
    }

    HostSample host()
    {
        NodeFacts node;
        readCgroupMemory(node);
        const std::vector<int> cpus =
            readCpuList(valueOf(readFile("/proc/self/status"), "Cpus_allowed_list"));
        std::vector<CpuTimes> now = readCpuTimes(readFile("/proc/stat", 8 << 20));
        HostSample host;
        host.cpu = cpuPercent(_times, now, cpus);
        host.cpus = int(cpus.size());
        _times = std::move(now);
        const std::string memory = readFile("/proc/meminfo");
        const auto total = readMemInfo(memory, "MemTotal"),
                   available = readMemInfo(memory, "MemAvailable");
        if (node.memoryLimit && node.memoryUsed && (!total || *node.memoryLimit < double(*total))) {
            host.memoryTotal = node.memoryLimit;
            host.memoryUsed = node.memoryUsed;
        } else if (total && available) {
            host.memoryTotal = double(*total);
            host.memoryUsed = double(*total) - double(*available);
        }
        host.load = decimalNumber(split(readFile("/proc/loadavg") + " 0", ' ')[0]).value_or(0);
        return host;
    }

    bool sample()
    {
        if (!_sampler.why.empty() && !_said) {
            _said = true;
            if (!writeLine(Row::skip(
                    "agent.gpu", _sampler.why, "Without it only the node's own samples come.")
                               .toJson()))
                return false;
        }
        return writeLine(sampleRow(wallClock(), nodeName(), ownGpus(), host()));
    }

    double _every;
    Sampler _sampler;
    Child _cuda;
    std::vector<std::string> _cards;
    std::vector<CpuTimes> _times;
    bool _said = false;
};

} // namespace

int agent(double everySeconds)
{
    return Agent(everySeconds).run();
}

} // namespace slipway::probe
