// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/explain.h"
#include "app/explain/logpass.h"
#include "app/explain/sitefacts.h"
#include "tests/support/cputime.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <random>

using namespace slipway;

/// hints.json and what is found with it: each failure by its texts, at its line, and nothing in
/// logs that are well.
class TestExplain : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void texts_areRecognised_data();
    void texts_areRecognised();
    void schedulersMessages_areRecognised_data();
    void schedulersMessages_areRecognised();
    void samples_giveTheirFailures_data();
    void samples_giveTheirFailures();
    void everyFailure_hasAText();
    void ordinaryLines_sayNothing_data();
    void ordinaryLines_sayNothing();
    void emptyList_isAFaultOnlyAfterAQuestion();
    void singletons_needTwo();
    void weakHints_areSilentBesideASureOne();
    void jobWithoutGpu_makesGpuFaultsNotes();
    void waitingForOthers_isReportedOfAFailedJobOnly();
    void facts_areAddedToTheRemedy();
    void remedy_isTheRuntimesOwn();
    void title_namesTheModule();
    void steps_failAsExpected_data();
    void steps_failAsExpected();
    void jobThatEndedWell_hasOnlySilentFaults();
    void remedy_namesTheFolderAndTheSite();
    void restart_forgets();
    void pass_givesLinesSamplesEventsAndExplanations();
    void pass_countsLinesOnAfterARestart();
    void label_ansiAndCarriageReturnsAreSeenThrough();
    void longLine_isReadToItsEnd();
    void hostileText_staysBounded();
    void mutations_neverDependOnTheChunks();
    void brokenFile_namesItsPlace_data();
    void brokenFile_namesItsPlace();

private:
    std::vector<Explanation> read(const QByteArray& log, const ExplainContext& context = {}) const
    {
        return explain(m_book, log, context);
    }
    std::shared_ptr<const HintBook> m_book;
};

namespace {

const QString source = slipway::sourcePath();

/// "F1@9 F5@20", and notes as "(F39@13)".
QString found(const std::vector<Explanation>& explanations)
{
    QStringList words;
    for (const Explanation& one : explanations) {
        const QString word = QStringLiteral("%1@%2").arg(one.id).arg(one.line);
        words << (one.severity == Explanation::Severity::Fault ? word : u'(' + word + u')');
    }
    return words.join(u' ');
}

void row(const char* id, const char* text, int line = 1, const char* expected = nullptr)
{
    const QByteArray name = QByteArray(id) + ": " + QByteArray(text).left(70).replace('\n', ' ');
    QTest::newRow(name.constData())
        << QByteArray(text)
        << (expected ? QString::fromLatin1(expected)
                     : QStringLiteral("%1@%2").arg(QLatin1String(id)).arg(line));
}

} // namespace

void TestExplain::initTestCase()
{
    std::vector<Error> errors;
    m_book = loadHints(source + QStringLiteral("/resources"), {}, &errors);
    QVERIFY2(errors.empty(), errors.empty() ? "" : qPrintable(errors.front().text()));
    QVERIFY(m_book->hints().size() > 40);
}

void TestExplain::texts_areRecognised_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("expected");
    row("F1",
        "2024-01-01 10:00:00.1: E x/cuda_diagnostics.cc:313] libcuda reported version is: "
        "NOT_FOUND: was unable to find libcuda.so DSO loaded into this program");
    row("F1",
        "start\nW tensorflow/dso_loader.cc:55] Could not dlopen library 'libcuda.so.1'; dlerror: "
        "libcuda.so.1: cannot open shared object file: No such file or directory",
        2);
    row("F1", "E cuda_driver.cc:351] failed call to cuInit: UNKNOWN ERROR (303)");
    row("F1", "print(tf.config.list_physical_devices('GPU'))\n[]", 2);
    row("F1", "Physical devices: []");
    row("F1", "Error: only 0 Devices available, 1 requested.  Exiting.");
    row("F1", "FATAL:   \"nvidia-smi\": executable file not found in $PATH");
    row("F1",
        "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.");
    row("F1",
        "ImportError: libcuda.so.1: cannot open shared object file: No such file or directory");
    row("F1",
        "RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA "
        "GPU");
    row("F2", "Error for command \"apptainer\": unknown shorthand flag: 'B' in -B");
    row("F2", "Error for command \"apptainer\": unknown flag: --nv");
    row("F2", "train.py: error: unrecognized arguments: --nv");
    row("F3", "WARNING: Could not find any nv files on this host!");
    row("F3", "bash: line 4: nvidia-smi: command not found");
    row("F3",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure "
        "that the latest NVIDIA driver is installed and running.");
    row("F3", "No devices were found");
    row("F3",
        "WARNING: Could not find any nv files on this host!\nfailed call to cuInit: UNKNOWN ERROR "
        "(303)",
        1);
    row("F4", "/var/spool/slurmd/job12/slurm_script: line 9: apptainer: command not found");
    row("F4", "sh: 1: singularity: not found");
    row("F4", "zsh: command not found: ibrun");
    row("F4", "slurmstepd: error: execve(): apptainer: No such file or directory");
    row("F5", "CUDA error: CUDA driver version is insufficient for CUDA runtime version");
    row("F5",
        "ERROR: This container was built for NVIDIA Driver Release 450.51 or later, but\n       "
        "version 440.33.01 was detected and compatibility mode is UNAVAILABLE.");
    row("F5",
        "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 804: forward "
        "compatibility was attempted on non supported HW");
    row("F6",
        "NVIDIA H100 with CUDA capability sm_90 is not compatible with the current PyTorch "
        "installation.");
    row("F6", "RuntimeError: CUDA error: no kernel image is available for execution on the device");
    row("F7",
        "W tensorflow/core/common_runtime/gpu/gpu_device.cc:2251] Cannot dlopen some GPU "
        "libraries. Please make sure\nSkipping registering GPU devices...");
    row("F8",
        "ImportError: libcudart.so.12: cannot open shared object file: No such file or directory");
    row("F8",
        "W dso_loader.cc:60] Could not load dynamic library 'libcudnn.so.8'; dlerror: "
        "libcudnn.so.8: cannot open shared object file");
    row("F8", "RuntimeError: cuDNN not found");
    row("F9", "OSError: [Errno 122] Disk quota exceeded");
    row("F9",
        "Error: not enough room for the image: /scratch/me/images has 1.0GiB free, and an image of "
        "9.1GiB (compressed) needs about 9.1GiB there while it is pulled.");
    row("F9",
        "FATAL:   While making image from oci registry: write /home/me/.apptainer/cache/blob/x: no "
        "space left on device");
    row("F9", "--> Verifying that quota for filesystem /home1 has not been exceeded...FAILED");
    row("F10",
        "FATAL:   While performing build: write /tmp/build-temp-3588537557/rootfs/usr/x.dat: no "
        "space left on device");
    row("F10",
        "conveyor failed to get: writing blob: write /var/tmp/bundle-temp-1/oci-put-blob12: no "
        "space left on device");
    row("F11",
        "FATAL:   could not open image /scratch/me/x.sif: failed to retrieve path for "
        "/scratch/me/x.sif: lstat /scratch/me/x.sif: no such file or directory");
    row("F11", "[ERROR] No such file or directory: /scratch/me/x.sqsh");
    row("F12", "FileNotFoundError: [Errno 2] No such file or directory: '/data/train.csv'");
    row("F12", "python3: can't open file '/data/train.py': [Errno 2] No such file or directory");
    row("F12", "cat: /projects/mine/list.txt: No such file or directory");
    row("F12", "/data/list.txt: File not found");
    row("F12", "FATAL:   stat /data: no such file or directory");
    row("F13", "touch: cannot touch '/workspace/test': Read-only file system");
    row("F13", "OSError: [Errno 30] Read-only file system: '/opt/x'");
    row("F14",
        "Installing collected packages: torch\n  Attempting uninstall: torch\n    Successfully "
        "uninstalled torch-2.3.0a0+40ec155e58.nv24.3",
        2);
    row("F15", "ERROR: ResolutionImpossible: for help visit the documentation");
    row("F15", "    The user requested (constraint) torch==2.3.0a0+40ec155e58.nv24.3");
    row("F15",
        "Additionally, some packages in these conflicts have no matching distributions available "
        "for your environment:");
    row("F16",
        "Traceback (most recent call last):\n  File "
        "\"/home/me/.local/lib/python3.10/site-packages/numpy/__init__.py\", line 3, in "
        "<module>\nImportError: numpy.core.multiarray failed to import",
        2);
    row("F16 as a note",
        "Requirement already satisfied: numpy in /home/me/.local/lib/python3.10/site-packages "
        "(1.26)",
        1, "(F16@1)");
    row("F17", "ModuleNotFoundError: No module named 'pt_bench'");
    row("F18", "OMPI was not built with SLURM's PMI support and therefore cannot");
    row("F18", "PMI2_Init failed to initialize.  Return code: 14");
    row("F18",
        "*** An error occurred in MPI_Init\n*** on a NULL communicator\n*** MPI_ERRORS_ARE_FATAL "
        "(processes in this communicator will now abort,");
    row("F18", "*** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,");
    row("F18", "Fatal error in MPI_Init: Other MPI error, error stack:");
    row("F18",
        "python: symbol lookup error: /usr/lib/libmpi.so.40: undefined symbol: "
        "opal_hwloc_base_binding");
    row("F18",
        "Computing 10 samples on each of the 1 ranks\nComputing 10 samples on each of the 1 ranks");
    row("F18",
        "Error: enroot here has no hook for MPI, so every rank would compute alone. Copy "
        "50-slurm-pmi.sh from /usr/share/enroot/hooks.d to ~/.config/enroot/hooks.d");
    row("F18",
        "[gpu02:00041] PMIX ERROR: PMIX_ERR_FILE_OPEN_FAILURE in file "
        "../../../../../src/mca/gds/shmem2/gds_shmem2.c at line 1079");
    row("F18",
        "slurmstepd: error: Couldn't load specified plugin name for mpi/pmix: Plugin init() "
        "callback failed");
    row("F18",
        "srun: fatal: Couldn't find the specified plugin name for mpi/pmix looking at all files");
    row("F18", "srun: fatal: Invalid MPI type 'pmix', --mpi=list for acceptable types");
    row("F19",
        "ImportError: libmpi.so.12: cannot open shared object file: No such file or directory");
    row("F20",
        "Abort(1091215) on node 0 (rank 0 in comm 0): Fatal error in PMPI_Init: Other MPI error, "
        "error "
        "stack:\nMPIR_Init_thread(136)........:\nMPIDI_OFI_mpi_init_hook(1421):\ncreate_endpoint("
        "2134)........: OFI EP enable failed (ofi_init.c:2134)",
        3);
    row("F46",
        " 4  /lib/x86_64-linux-gnu/libmpi.so.40(mca_pml_ob1_recv_frag_callback_match+0xaa) "
        "[0x7f144e28973a]");
    row("F20",
        "MPIDI_OFI_mpi_init_hook(592): OFI addrinfo() failed "
        "(ofi_init.h:592:MPIDI_OFI_mpi_init_hook:No data available)");
    row("F21", "There are not enough slots available in the system to satisfy the 16");
    row("F22",
        "slurmstepd: error: Detected 1 oom_kill event in StepId=440575.0. Some of the step tasks "
        "have been OOM Killed.");
    row("F22",
        "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=191.batch cgroup. Some of your "
        "processes may have been killed by the cgroup out-of-memory handler.");
    row("F22", "srun: error: nid001277: tasks 1-3: Out Of Memory");
    row("F22", "slurmstepd: error: Exceeded job memory limit");
    row("F22", "Killed");
    row("F22",
        "/var/spool/slurmd/job00042/slurm_script: line 31:  4711 Killed                  python "
        "train.py");
    row("F22", "slurmstepd: error: pyxis: child 12455 failed with error code: 137");
    row("F23",
        "ncclInvalidUsage: Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 41000");
    row("F23", "RuntimeError: CUDA error: invalid device ordinal");
    row("F24",
        "lightning.fabric.utilities.exceptions.MisconfigurationException: You requested gpu: [0, "
        "1]\n But your machine only has: [0]");
    row("F25",
        "RuntimeError: The server socket has failed to listen on any local network address. port: "
        "29500, useIpv6: 0, code: -98, name: EADDRINUSE, message: address already in use");
    row("F25", "OSError: [Errno 98] Address already in use");
    row("F26",
        "Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/4\nInitializing distributed: "
        "GLOBAL_RANK: 0, MEMBER: 1/4");
    row("F27 as a note",
        "Warning: \"number of bodies\" specified 2000000 is not a multiple of 256.", 1, "(F27@1)");
    row("F27 as a note", "= 582.1 double-precision GFLOP/s at 30 flops per interaction", 1,
        "(F27@1)");
    row("F29", "FATAL:   Building from a definition file requires root or some kind of fake root");
    row("F29", "ERROR:   Could not start root-mapped namespace");
    row("F29", "FATAL:   /etc/subuid mapping found but no user namespace available for fakeroot");
    row("F29",
        "FATAL:   newuidmap was not found in PATH (/usr/local/bin:/usr/bin:/bin), required with "
        "fakeroot and unprivileged installation");
    row("F29",
        "ERROR  : 'newgidmap' execution failed. Check that 'newgidmap' is setuid root or has "
        "setcap cap_setgid+eip.");
    row("F29",
        "FATAL:   could not use fakeroot: could not open /etc/subuid: open /etc/subuid: no such "
        "file or directory");
    row("F29", "FATAL:   could not use fakeroot: no mapping entry found in /etc/subuid for ada");
    row("F29", "ERROR  : Failed to create container process: No space left on device");
    row("F29", "ERROR  : Failed to create user namespace: Operation not permitted");
    row("F29",
        "INFO:    Running post scriptlet\n+ apt-get update -q\nE: setgroups 65534 failed - "
        "setgroups (1: Operation not permitted)\nE: setegid 65534 failed - setegid (22: Invalid "
        "argument)\nE: seteuid 42 failed - seteuid (22: Invalid argument)",
        3);
    row("F29",
        "FATAL:   While performing build: conveyor failed to get: while copying pseudo devices: "
        "while creating /tmp/build-temp-535427745/rootfs/dev/null: operation not permitted");
    row("F29",
        "/.singularity.d/libs/faked: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.33' not "
        "found (required by /.singularity.d/libs/faked)");
    row("F29",
        "/.singularity.d/libs/fakeroot: eval: line 140: /.singularity.d/libs/faked: not found");
    row("F29",
        "FATAL:   exec /.singularity.d/libs/fakeroot failed: a shared library is likely missing "
        "in the image");
    row("F29",
        "INFO:    Running post scriptlet\ntar: cmake-3.30: Cannot change ownership to uid 1000, "
        "gid 1000: Invalid argument",
        2);
    row("F29",
        "INFO:    Running post scriptlet\nchown: changing ownership of '/opt/app': Invalid "
        "argument",
        2);
    row("F29",
        "dpkg: error processing archive /var/cache/apt/archives/x.deb (--unpack):\n error setting "
        "ownership of './usr/bin/x': Operation not permitted",
        2);
    row("F29", "groupadd: failure while writing changes to /etc/group");
    row("F29",
        "Error: this node has no way to build an image without root: user namespaces are switched "
        "off.");
    row("B1", "FATAL:   While performing build: while running engine: exit status 100");
    row("F29 and not B1",
        "E: seteuid 100 failed - seteuid (22: Invalid argument)\nFATAL:   While performing build: "
        "while running engine: exit status 100",
        1, "F29@1");
    row("F30",
        "[ERROR] URL https://registry.example/v2/x/manifests/1 returned error code: 401 "
        "Unauthorized");
    row("F30",
        "FATAL:   While making image from oci registry: unauthorized: authentication required");
    row("F30",
        "toomanyrequests: You have reached your pull rate limit. You may increase the limit");
    row("F30",
        "FATAL:   While making image from oci registry: error fetching image to cache: failed to "
        "get checksum for docker://login:5000/demo/nothere:1: reading manifest 1 in "
        "login:5000/demo/nothere: manifest unknown: manifest unknown");
    row("F30",
        "[ERROR] URL http://login:5000/v2/demo/nosuch/manifests/1 returned error code: 404 Not "
        "Found");
    row("F30",
        "FATAL:   While making image from oci registry: error fetching image to cache: failed to "
        "get checksum for docker://login:5000/demo/nothere:1: reading manifest 1 in "
        "login:5000/demo/nothere: manifest unknown");
    row("F30",
        "FATAL:   While making image from oci registry: error fetching image to cache: failed to "
        "get checksum for docker://login:5000/demo/nothere:1: GET "
        "http://login:5000/v2/demo/nothere/manifests/1: NAME_UNKNOWN: repository name not known to "
        "registry");
    row("F30",
        "slurmstepd: error: pyxis: failed to import docker image: "
        "login:5000#demo/nosuch:1\nslurmstepd: error: pyxis: printing enroot log "
        "file:\nslurmstepd: error: pyxis:     [ERROR] URL "
        "http://login:5000/v2/demo/nosuch/manifests/1 returned error code: 404 Not Found",
        3);
    row("F31",
        "FATAL:   While checking container encryption: could not open image /scratch/me/arm.sif: "
        "the image's architecture (arm64) could not run on the host's (amd64)");
    row("F31", "bash: /opt/app: cannot execute binary file: Exec format error");
    row("F32", "sbatch: error: Batch job submission failed: Requested reservation is invalid");
    row("F32",
        "sbatch: error: Batch job submission failed: Access denied to requested reservation");
    row("F33",
        "apptainer pull tf.sif docker://tensorflow/tensorflow:latest\nCUDA driver version is "
        "insufficient for CUDA runtime version",
        1, "F33@1 F5@2");
    row("F33",
        "pyxis: importing docker image: nvcr.io#nvidia/pytorch:latest\nnvidia-container-cli: "
        "requirement error: unsatisfied condition: cuda>=12.8, please update your driver to a "
        "newer version, or use an earlier cuda container",
        1, "F33@1 F5@2");
    row("F34",
        "slurmstepd: error: *** JOB 867816 ON c0700a-s1 CANCELLED AT 2021-05-11T12:06:17 DUE TO "
        "TIME LIMIT ***");
    row("F34",
        "slurmstepd: error: *** STEP 12.0 CANCELLED AT 2021-05-11T12:06:17 DUE TO TIME LIMIT on "
        "n447 ***");
    row("F34",
        "sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or "
        "exceeds some limit)");
    row("F35",
        "sbatch: error: Batch job submission failed: Invalid account or account/partition "
        "combination specified");
    row("F35", "sbatch: error: Batch job submission failed: Invalid partition name specified");
    row("F36",
        "sbatch: error: Batch job submission failed: Requested GRES option unsupported by "
        "configured SelectType plugin");
    row("F37",
        "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='hub.example', port=443): "
        "Max retries exceeded with url: /x");
    row("F37", "curl: (6) getaddrinfo() thread failed: Temporary failure in name resolution");
    row("F37", "OSError: We couldn't connect to 'https://huggingface.co' to load this file");
    row("F38", "mkdir: cannot create directory '/workspace/out': Permission denied");
    row("F40", "[ERROR] File already exists: /scratch/me/x.sqsh");
    row("F41", "curl: (35) error:0A00010B:SSL routines::wrong version number");
    row("F42", "/etc/rc: line 5: exec: pyhton3: not found");
    row("F42", "sh: 1: exec: ./train: not found");
    row("F3", "/etc/rc: line 5: exec: nvidia-smi: not found");
    row("F4", "sh: 1: exec: enroot: not found");
    row("F42", "FATAL:   \"python3\": executable file not found in $PATH");
    row("F42", "sh: 1: python3: not found");
    row("F42", "/bin/sh: line 1: python3: command not found");
    row("F42", "/.singularity.d/runscript: 12: exec: python3: not found");
    row("F45",
        "FATAL:   container creation failed: while setting overlay session layout: while adding "
        "sandbox image: /scratch/me/overlay is located on a LUSTRE filesystem incompatible as "
        "overlay upper directory");
    row("F43", "[ERROR] Failed to mount: /scratch/me/x.sqsh");
    row("F44",
        "slurmstepd-gpu02: error: pyxis: failed to import docker image: login:5000#demo/nosuch:1");
    row("F44",
        "[2026-11-22T08:25:57.007] error: pyxis: failed to import docker image with importer: "
        "/opt/import.sh");
    row("F39 as a note",
        "NOTE: The SHMEM allocation limit is set to the default of 64MB.  This may be", 1,
        "(F39@1)");
    row("F39 as a note", "NOTE: MOFED driver for multi-node communication was not detected.", 1,
        "(F39@1)");
}

void TestExplain::texts_areRecognised()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, expected);
    const auto explanations = read(log);
    QCOMPARE(found(explanations), expected);
    for (const Explanation& one : explanations) {
        QVERIFY(!one.title.isEmpty() && !one.cause.isEmpty() && !one.remedy.isEmpty()
            && !one.evidence.isEmpty());
        QVERIFY(log.contains(one.evidence.left(40).toUtf8()));
    }
    // The same in capitals: Slurm's texts have changed their case over the years.
    if (!log.contains("File \"") && !log.contains("[]"))
        QCOMPARE(found(read(log.toUpper())), expected);
}

void TestExplain::schedulersMessages_areRecognised_data()
{
    QTest::addColumn<QString>("refusal");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("expected");
    const QString failed = QStringLiteral("sbatch: error: Batch job submission failed: ");
    QTest::newRow("account") << failed
            + QStringLiteral("Invalid account or account/partition combination specified")
                             << QString() << QString() << QStringLiteral("F35@0");
    QTest::newRow("reservation") << failed + QStringLiteral("Requested reservation is invalid")
                                 << QString() << QString() << QStringLiteral("F32@0");
    QTest::newRow("GPU option, below a banner")
        << QStringLiteral("--> Verifying...OK\n") + failed
            + QStringLiteral("Requested GRES option unsupported by configured SelectType plugin")
        << QString() << QString() << QStringLiteral("F36@0");
    QTest::newRow("time") << failed
            + QStringLiteral("Requested time limit is invalid (missing or exceeds some limit)")
                          << QString() << QString() << QStringLiteral("F34@0");
    QTest::newRow("memory, by state") << QString() << QStringLiteral("OUT_OF_MEMORY")
                                      << QStringLiteral("OutOfMemory") << QStringLiteral("F22@0");
    QTest::newRow("time, by state") << QString() << QStringLiteral("TIMEOUT")
                                    << QStringLiteral("TimeLimit") << QStringLiteral("F34@0");
    QTest::newRow("time, by reason")
        << QString() << QStringLiteral("PENDING") << QStringLiteral("PartitionTimeLimit")
        << QStringLiteral("F34@0");
    QTest::newRow("account, by reason")
        << QString() << QStringLiteral("PENDING") << QStringLiteral("InvalidAccount")
        << QStringLiteral("F35@0");
    QTest::newRow("longer word of a limit")
        << QString() << QStringLiteral("PENDING")
        << QStringLiteral("AssocMaxWallDurationPerJobLimit") << QStringLiteral("F34@0");
    QTest::newRow("it only waits")
        << QString() << QStringLiteral("PENDING") << QStringLiteral("Resources") << QString();
    QTest::newRow("cancelled") << QString() << QStringLiteral("CANCELLED by 1001")
                               << QStringLiteral("None") << QString();
    QTest::newRow("an unknown refusal")
        << failed + QStringLiteral("The moon is full") << QString() << QString() << QString();
}

void TestExplain::schedulersMessages_areRecognised()
{
    QFETCH(QString, refusal);
    QFETCH(QString, state);
    QFETCH(QString, reason);
    QFETCH(QString, expected);
    ExplainContext context;
    context.refusal = refusal;
    context.state = state;
    context.reason = reason;
    QCOMPARE(found(Explainer(m_book).result(context)), expected);
}

void TestExplain::samples_giveTheirFailures_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expected");
    const QMap<QString, QString> known{
        {QStringLiteral("apptainer-error-ansi-colour.txt"), QStringLiteral("F12@2")},
        {QStringLiteral("apptainer-errors.txt"), QStringLiteral("F10@1 F9@2 F30@5 F31@7 F12@8")},
        {QStringLiteral("apptainer-no-such-image-synthetic.txt"), QStringLiteral("F30@3")},
        {QStringLiteral("nbody-help-and-no-gpu.txt"), QStringLiteral("F1@23")},
        {QStringLiteral("nbody-l40s.txt"), QStringLiteral("(F27@8)")},
        {QStringLiteral("ngc-banner-no-driver.txt"),
            QStringLiteral("F1@9 F5@20 (F39@13) (F39@17)")},
        {QStringLiteral("pi-mpi-init-crash.txt"), QStringLiteral("F46@13")},
        {QStringLiteral("pi-mpi-not-connected-synthetic.txt"), QStringLiteral("F18@3")},
        {QStringLiteral("pip-constraint-conflict.txt"), QStringLiteral("F15@6")},
        {QStringLiteral("pyxis-import-oom.txt"), QStringLiteral("F22@2")},
        {QStringLiteral("slurm-submit-errors.txt"),
            QStringLiteral("F35@1 F34@2 F73@3 F36@4 F81@8 F79@12")},
        {QStringLiteral("torchrun-ddp-lines.txt"), QStringLiteral("F25@14")}};
    // Every other sample is the log of a run that was well.
    for (const QString& name : QDir(source + QStringLiteral("/tests/data/logs"))
                                   .entryList({QStringLiteral("*.txt")}, QDir::Files))
        QTest::newRow(qPrintable(name)) << name << known.value(name);
}

void TestExplain::samples_giveTheirFailures()
{
    QFETCH(QString, file);
    QFETCH(QString, expected);
    const QByteArray log = contentOf(source + QStringLiteral("/tests/data/logs/") + file);
    QVERIFY(!log.isEmpty());
    QCOMPARE(found(read(log)), expected);
}

void TestExplain::everyFailure_hasAText()
{
    QSet<QString> ids;
    for (const Hint& hint : m_book->hints())
        ids.insert(hint.id);
    // F28 is a large image, which prints nothing.
    for (int i = 1; i <= 45; ++i)
        QVERIFY2(
            i == 28 || ids.contains(QStringLiteral("F%1").arg(i)), qPrintable(QString::number(i)));
    for (const Hint& hint : m_book->hints()) {
        for (const QString& sentence :
            QStringList{hint.cause, hint.remedy} + hint.remedies.values()) {
            QVERIFY2(sentence.endsWith(u'.'), qPrintable(sentence));
            QVERIFY2(sentence.size() < 300, qPrintable(sentence));
        }
        QVERIFY2(hint.title.size() <= 60 && !hint.title.endsWith(u'.'), qPrintable(hint.title));
    }
}

void TestExplain::ordinaryLines_sayNothing_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::newRow("a row of the probe")
        << QByteArray("warn  disk.scratch     64 MiB free at /scratch: Nothing can be written to "
                      "/scratch: Read-only file system. -> Use another folder.");
    for (const char* text : {"[]", "losses: []", "killed time while waiting",
             "INFO:    gocryptfs not found, will not be able to use gocryptfs",
             "Epoch 3: loss 0.1 port: 8080", "pulling docker://a/b:latest",
             "Computing 100 samples on each of the 1 ranks", "checking for undefined symbols",
             "tar: data: Cannot change ownership to uid 1000, gid 1000: Invalid argument",
             "chown: changing ownership of '/data/x': Operation not permitted",
             "INFO:    fakeroot command not found",
             "INFO:    User not listed in /etc/subuid, trying root-mapped namespace",
             "--> Verifying that quota for filesystem /home1 is at 2.3%...OK ",
             "Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/1",
             "WARNING: could not mount /etc/localtime: operation not supported",
             "Attempting uninstall: torchmetrics",
             "slurmstepd: error: *** JOB 5 ON n1 CANCELLED AT 2024-01-01T10:00:00 ***"})
        QTest::newRow(text) << QByteArray(text);
}

void TestExplain::ordinaryLines_sayNothing()
{
    QFETCH(QByteArray, log);
    QCOMPARE(found(read(log)), QString());
}

void TestExplain::emptyList_isAFaultOnlyAfterAQuestion()
{
    QCOMPARE(found(read("GPU devices:\n[]\n")), QStringLiteral("F1@2"));
    QCOMPARE(found(read("GPU devices:\nx\ny\nz\n[]\n")), QString());
    QCOMPARE(found(read("results:\n[]\n")), QString());
    QCOMPARE(
        found(read(
            "GPU devices:\n[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]\n")),
        QString());
}

void TestExplain::singletons_needTwo()
{
    const QByteArray line = "Computing 100 samples on each of the 1 ranks\n";
    QCOMPARE(found(read(line)), QString());
    QCOMPARE(found(read("x\n" + line + "y\n" + line)), QStringLiteral("F18@2"));
    Explainer explainer(m_book);
    explainer.take({QStringLiteral("mpi-not-connected"), QStringLiteral("two headers"), {}, 7});
    QCOMPARE(found(explainer.result()), QStringLiteral("F18@7"));
}

void TestExplain::weakHints_areSilentBesideASureOne()
{
    const QByteArray log =
        "mkdir: cannot create directory '/x': Permission denied\nKilled\nslurmstepd: error: "
        "Detected 1 oom_kill event in StepId=1.0.\n";
    QCOMPARE(found(read(log)), QStringLiteral("F22@3"));
    ExplainContext well;
    well.endedWell = true;
    QCOMPARE(found(read("rm: x: No such file or directory\n", well)), QString());
    // By its state the job ran out of memory: the log's first sign of it is a weak one.
    ExplainContext state;
    state.state = QStringLiteral("OUT_OF_MEMORY");
    QCOMPARE(found(read("Killed\n", state)), QStringLiteral("F22@0"));
}

void TestExplain::jobWithoutGpu_makesGpuFaultsNotes()
{
    ExplainContext context;
    context.gpus = 0;
    QCOMPARE(found(read("WARNING: Could not find any nv files on this host!\n", context)),
        QStringLiteral("(F3@1)"));
    context.gpus = 1;
    QCOMPARE(found(read("WARNING: Could not find any nv files on this host!\n", context)),
        QStringLiteral("F3@1"));
}

void TestExplain::waitingForOthers_isReportedOfAFailedJobOnly()
{
    const QByteArray log = "Initializing distributed: GLOBAL_RANK: 1, MEMBER: 2/4\n";
    ExplainContext failed;
    failed.endedWell = false;
    QCOMPARE(found(read(log)), QString());
    QCOMPARE(found(read(log, failed)), QStringLiteral("F24@1"));
    QCOMPARE(found(read(log + "All distributed processes registered. Starting with 4 processes\n",
                 failed)),
        QString());
}

void TestExplain::facts_areAddedToTheRemedy()
{
    ExplainContext context;
    context.facts.insert(QStringLiteral("modules"), QStringLiteral("tacc-apptainer"));
    const auto explanations = read("x: apptainer: command not found\n", context);
    QCOMPARE(explanations.size(), size_t(1));
    QVERIFY2(explanations.front().remedy.endsWith(u"module load tacc-apptainer."),
        qPrintable(explanations.front().remedy));
}

void TestExplain::remedy_isTheRuntimesOwn()
{
    // Two worlds of one rank: on enroot and pyxis another protocol would not connect them either.
    const auto remedy = [&](const char* runtime) {
        ExplainContext context;
        context.endedWell = true;
        context.facts.insert(QStringLiteral("runtime"), QLatin1String(runtime));
        const auto explanations = read("Computing 10 samples on each of the 1 ranks\nComputing 10 "
                                       "samples on each of the 1 ranks\n",
            context);
        return explanations.size() == 1 ? explanations.front().remedy : QString();
    };
    QVERIFY2(remedy("apptainer").startsWith(u"Choose another protocol"),
        qPrintable(remedy("apptainer")));
    QVERIFY2(remedy("enroot").contains(u"50-slurm-pmi.sh")
            && !remedy("enroot").contains(u"another protocol"),
        qPrintable(remedy("enroot")));
    QVERIFY2(remedy("pyxis").contains(u"PMIX_MCA_gds=hash")
            && !remedy("pyxis").contains(u"another protocol"),
        qPrintable(remedy("pyxis")));
    Site site;
    site.runtime = RuntimeKind::Pyxis;
    QCOMPARE(siteFacts(site).value(QStringLiteral("runtime")), QStringLiteral("pyxis"));
}

void TestExplain::title_namesTheModule()
{
    const auto title = [this](const QByteArray& name) {
        const auto found = read("ModuleNotFoundError: No module named " + name + '\n');
        return found.empty() ? QString() : found.front().title;
    };
    QCOMPARE(title("'torch.cuda'"), QStringLiteral("Python cannot find “torch.cuda”"));
    QCOMPARE(title(QByteArray(200, 'x')), QStringLiteral("Python cannot find a module"));
}

void TestExplain::steps_failAsExpected_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("expected");
    const QByteArray lost = "ModuleNotFoundError: No module named 'pt_bench'\n";
    const QByteArray begin = "\n== Away from its folder\n", other = "\n== Install\n";
    const QByteArray meant =
        "== Away from its folder: ended with exit code 1, which is what this step shows\n";
    QTest::newRow("a lesson") << begin + lost + meant + other + "done\n"
                              << QStringLiteral("(F17@3)");
    QTest::newRow("a banner in the lesson")
        << begin + "=============\n== PyTorch ==\n=============\n" + lost + meant
        << QStringLiteral("(F17@6)");
    QTest::newRow("a step that failed")
        << begin + lost + "== Away from its folder: failed with exit code 1\n"
        << QStringLiteral("F17@3");
    QTest::newRow("nothing is said yet") << begin + lost << QStringLiteral("F17@3");
    QTest::newRow("the same, after the lesson")
        << begin + lost + meant + other + lost << QStringLiteral("F17@7");
    QTest::newRow("the same, before the lesson")
        << lost + begin + lost + meant << QStringLiteral("F17@1");
    QTest::newRow("another step's title") << other + lost + meant << QStringLiteral("F17@3");
    QTest::newRow("the job was ended in the lesson") << begin
            + "slurmstepd: error: *** JOB 1 ON n1 CANCELLED AT 2026-11-22T10:00:00 DUE TO TIME "
              "LIMIT ***\n" << QStringLiteral("F34@3");
    QTest::newRow("what only may be a failure")
        << begin + "cat: /data/x: No such file or directory\n" + meant << QString();
    QTest::newRow("two worlds of one rank") << begin
            + "Computing 10 samples on each of the 1 ranks\nComputing 10 samples on each of the 1 "
              "ranks\n"
            + "== Away from its folder: ended with exit code 0, which is what this step shows\n"
                                            << QStringLiteral("(F18@3)");
    QTest::newRow("one in the lesson, one after it")
        << begin + "Computing 10 samples on each of the 1 ranks\n" + meant + other
            + "Computing 10 samples on each of the 1 ranks\n"
        << QString();
    QTest::newRow("two tries in one step") << other
            + "Computing 10 samples on each of the 1 ranks\n== Install: still there\nComputing 10 "
              "samples on each of the 1 ranks\n"
                                           << QStringLiteral("F18@3");
}

void TestExplain::steps_failAsExpected()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, expected);
    const auto explanations = read(log);
    QCOMPARE(found(explanations), expected);
    for (const Explanation& one : explanations) {
        if (one.severity == Explanation::Severity::Note)
            QVERIFY2(
                one.remedy.startsWith(u"Nothing to do") && !one.change, qPrintable(one.remedy));
    }
}

void TestExplain::jobThatEndedWell_hasOnlySilentFaults()
{
    ExplainContext well;
    well.endedWell = true;
    // It got over this, whatever it was.
    QCOMPARE(found(read("ModuleNotFoundError: No module named 'tensorboard'\n", well)),
        QStringLiteral("(F17@1)"));
    // It ended well, and did not do what was wanted.
    QCOMPARE(found(read("Skipping registering GPU devices...\n", well)), QStringLiteral("F7@1"));
    QCOMPARE(found(read("WARNING: Could not find any nv files on this host!\n", well)),
        QStringLiteral("F3@1"));
    well.gpus = 0;
    QCOMPARE(found(read("WARNING: Could not find any nv files on this host!\n", well)),
        QStringLiteral("(F3@1)"));
}

void TestExplain::remedy_namesTheFolderAndTheSite()
{
    const auto change = [&](const QByteArray& log, const QString& scratch) {
        ExplainContext context;
        if (!scratch.isEmpty())
            context.facts.insert(QStringLiteral("scratch"), scratch);
        const auto explanations = read(log, context);
        return explanations.size() == 1 && explanations.front().change
            ? *explanations.front().change
            : FieldChange();
    };
    const FieldChange folder = change(
        "FileNotFoundError: [Errno 2] No such file or directory: '/projects/mine/train.csv'\n", {});
    QCOMPARE(folder,
        (FieldChange{
            QStringLiteral("binds"), FieldChange::Kind::Append, QStringLiteral("/projects/mine")}));
    QCOMPARE(change("FATAL:   stat /data: no such file or directory\n", {}).value,
        QStringLiteral("/data"));
    QCOMPARE(
        change("FileNotFoundError: [Errno 2] No such file or directory: 'train.csv'\n", {}).kind,
        FieldChange::Kind::Choose);
    QCOMPARE(change("OSError: [Errno 122] Disk quota exceeded\n", QStringLiteral("$SCRATCH")).value,
        QStringLiteral("$SCRATCH/slipway/cache"));
    QCOMPARE(
        change("OSError: [Errno 122] Disk quota exceeded\n", {}).kind, FieldChange::Kind::Choose);
    // The number of a node is not that of a task, as the tutorial's script has it.
    const QByteArray first = "Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/4\n";
    const auto nodes = read(first + first);
    QCOMPARE(found(nodes), QStringLiteral("F26@1"));
    QVERIFY2(nodes.front().remedy.startsWith(u"Write \\$SLURM_NODEID"),
        qPrintable(nodes.front().remedy));
}

void TestExplain::restart_forgets()
{
    Explainer explainer(m_book);
    explainer.read({"EADDRINUSE", 1, -1, false});
    QCOMPARE(found(explainer.result()), QStringLiteral("F25@1"));
    explainer.restart();
    QCOMPARE(found(explainer.result()), QString());
}

void TestExplain::pass_givesLinesSamplesEventsAndExplanations()
{
    const QByteArray log = "step 1 loss 0.5\r\nslurmstepd: error: Detected 1 oom_kill event\nlast";
    QStringList lines;
    const auto keep = [&lines](const LogLine& line) {
        lines << QString::fromUtf8(line.text.data(), qsizetype(line.text.size()));
    };
    LogPass pass(m_book);
    for (const char byte : log)
        pass.feed(QByteArrayView(&byte, 1), keep);
    QCOMPARE(lines.size(), 2);
    pass.finish(keep);
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines.last(), QStringLiteral("last"));
    QCOMPARE(pass.linesSeen(), qint64(3));
    QVERIFY(!pass.takeSamples().empty());
    LogPass whole(m_book);
    whole.feed(log);
    whole.finish();
    QVERIFY(!whole.result().empty());
    QVERIFY(whole.result() == pass.result());
}

void TestExplain::pass_countsLinesOnAfterARestart()
{
    LogPass pass(m_book);
    pass.feed("step 1 loss 0.5\nEADDRINUSE\ncut o");
    QList<qint64> numbers;
    const auto keep = [&numbers](const LogLine& line) { numbers << line.number; };
    pass.restart(keep);
    QVERIFY(pass.takeSamples().empty());
    QVERIFY(pass.result().empty());
    pass.feed("step 1 loss 0.25\nEADDRINUSE\n", keep);
    pass.finish();
    QCOMPARE(numbers, (QList<qint64>{3, 4, 5}));
    const auto samples = pass.takeSamples();
    QCOMPARE(samples.size(), size_t(1));
    QCOMPARE(samples.front().line, qint64(4));
    QCOMPARE(found(pass.result()), QStringLiteral("F25@5"));
}

void TestExplain::label_ansiAndCarriageReturnsAreSeenThrough()
{
    QCOMPARE(found(read("3: Killed\n")), QStringLiteral("F22@1"));
    QCOMPARE(found(read("[1,0]<stdout>:No devices were found\n")), QStringLiteral("F3@1"));
    QCOMPARE(found(read("\x1b[31mFATAL:  \x1b[0m Read-\x1b[0monly file system\n")),
        QStringLiteral("F13@1"));
    QCOMPARE(
        found(read(" 10%|#  | 1/10\r 20%|## | 2/10\rOSError: [Errno 30] Read-only file system\n")),
        QStringLiteral("F13@1"));
    QCOMPARE(found(read("\xe2\x96 Read-only file system \xff\n")), QStringLiteral("F13@1"));
}

void TestExplain::longLine_isReadToItsEnd()
{
    const QByteArray bar = QByteArray("\xe2\x96\x88").repeated(20'000);
    const auto explanations = read(bar + " OSError: [Errno 98] Address already in use\n");
    QCOMPARE(found(explanations), QStringLiteral("F25@1"));
    QVERIFY(explanations.front().evidence.size() <= Explainer::longestEvidence + 2);
    QVERIFY(!explanations.front().evidence.contains(QChar::ReplacementCharacter));
    // A text that must be at the beginning of a line is not found in its middle.
    QCOMPARE(found(read(QByteArray("x ").repeated(2000) + "No devices were found\n")), QString());
}

void TestExplain::hostileText_staysBounded()
{
    const QByteArray one =
        "no space left on device killed libcuda.so EADDRINUSE docker://x:latest ";
    const CpuTime clock;
    const auto explanations =
        read(one.repeated(12'000) + '\n' + QByteArray(one + '\n').repeated(12'000));
    QVERIFY(explanations.size() <= m_book->hints().size());
    QVERIFY2(clock.elapsed() < 20'000, qPrintable(QString::number(clock.elapsed())));
    read(QByteArray(4'000'000, '\0'));
    read(QByteArray("\xf0\x9f\x98").repeated(100'000));
}

void TestExplain::mutations_neverDependOnTheChunks()
{
    QByteArray logs;
    for (const char* name : {"ngc-banner-no-driver.txt", "apptainer-errors.txt",
             "torchrun-ddp-lines.txt", "tqdm-cr-raw.txt"})
        logs += contentOf(source + QStringLiteral("/tests/data/logs/") + QLatin1String(name));
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
        QByteArray log = logs;
        for (int j = 0; j < 40; ++j)
            log[qsizetype(random() % size_t(log.size()))] = char(random());
        Explainer explainer(m_book);
        LineAssembler assembler;
        const auto sink = [&explainer](const LogLine& line) { explainer.read(line); };
        for (qsizetype at = 0; at < log.size();) {
            const qsizetype size =
                std::min<qsizetype>(1 + qsizetype(random() % 300), log.size() - at);
            assembler.feed(QByteArrayView(log).sliced(at, size), sink);
            at += size;
        }
        assembler.finish(sink);
        QVERIFY(explainer.result() == read(log));
    }
}

void TestExplain::brokenFile_namesItsPlace_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("expected");
    const auto hint = [](const QByteArray& match) -> QByteArray {
        return "{\"hints\": [\n{\"id\": \"X1\", \"title\": \"T\", \"cause\": \"C.\", \"remedy\": "
               "\"R.\",\n\"match\": ["
            + match + "]}]}";
    };
    QTest::newRow("no JSON") << QByteArray("{\n\"hints\" [") << QStringLiteral("h.json, line 2");
    QTest::newRow("no match") << hint({}) << QStringLiteral("hints[0].match: missing");
    QTest::newRow("broken regex") << hint("{\"regex\": \"(a\", \"anchors\": [\"abcdef\"]}")
                                  << QStringLiteral("line 3: hints[0].match[0].regex");
    QTest::newRow("regex without anchor")
        << hint("{\"regex\": \"a+\"}") << QStringLiteral("match[0].anchors: missing");
    QTest::newRow("short text") << hint("{\"text\": \"abc\"}")
                                << QStringLiteral("match[0].text: “abc” is too short");
    QTest::newRow("text and regex")
        << hint("{\"text\": \"abcdef\", \"regex\": \"x\", \"anchors\": [\"abcdef\"]}")
        << QStringLiteral("either a text or a regex");
    QTest::newRow("unknown place") << hint("{\"text\": \"abcdef\", \"where\": [\"email\"]}")
                                   << QStringLiteral("“email” is not known");
    QTest::newRow("unknown field")
        << hint("{\"txt\": \"abcdef\"}") << QStringLiteral("txt: unknown field");
    QTest::newRow("unknown change")
        << hint("{\"text\": \"abcdef\"}")
               .replace("\"match\"",
                   "\"fix\": {\"field\": \"memory\", \"change\": \"triple\"}, \"match\"")
        << QStringLiteral("“triple” is not known");
}

void TestExplain::brokenFile_namesItsPlace()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, expected);
    const auto hints = parseHints(json, QStringLiteral("h.json"));
    QVERIFY(!hints.ok());
    QVERIFY2(hints.error().text().contains(expected), qPrintable(hints.error().text()));
}

SLIPWAY_TEST(TestExplain, explain_explain)
#include "tst_explain.moc"
