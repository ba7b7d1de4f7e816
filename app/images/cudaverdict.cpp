// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/cudaverdict.h"

#include "app/images/cudarequirement.h"
#include "app/images/cudatable.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

using probe::CudaDrivers;
using probe::Version;
using Held = CudaRequirement::Held;

constexpr int firstMinorCompatible = 11; ///< the first CUDA with minor-version compatibility

/// Compares one image with one node. Lives as long as one call.
class DriverJudge {
public:
    DriverJudge(const ImageCuda& image, const GpuNode& node)
        : m_image(image)
        , m_node(node)
        , m_requirement(CudaRequirement::parse(image.require))
        , m_wanted(cudaVersion(decidingCuda(image)))
        , m_driver(Version::of(node.driver.toStdString()))
        , m_can(cudaVersion(node.cuda))
        , m_oldest(oldestDriverFor(m_wanted))
    {
        if (!m_can && m_driver)
            m_can = CudaDrivers::own().nativeCuda(m_driver);
    }

    Judgement judge() const;

private:
    Judgement byRequirementAlone() const;
    Judgement byTable() const;
    Judgement byForwardCompatibility() const;
    Judgement bySeen() const;
    Judgement refused() const;
    Judgement withRequirement(Judgement judged) const;
    Judgement limited(const QString& here) const;
    Held held() const;

    bool runsByItsDriver() const;
    bool runsWithinItsFamily() const;
    bool isDriverVague() const;
    bool isBeyondTable() const;
    bool isSurelyTooOld() const;
    bool isNewerThanDriver() const;
    QString cudaText() const;
    QString driverText() const;
    QString shortDriver() const;

    const ImageCuda& m_image;
    const GpuNode& m_node;
    CudaRequirement m_requirement;
    Version m_wanted, m_driver;
    Version m_can; ///< the newest CUDA that the driver runs by itself
    OldestDriver m_oldest;
};

QString DriverJudge::cudaText() const
{
    const QString text = tr("CUDA %1").arg(versionText(m_wanted));
    return m_wanted == cudaVersion(m_image.version)
        ? text
        : tr("%1, which NVIDIA_REQUIRE_CUDA asks for,").arg(text);
}

QString DriverJudge::driverText() const
{
    return m_driver ? tr("the driver here is %1").arg(m_node.driver)
                    : tr("the driver here runs CUDA up to %1").arg(versionText(m_can));
}

QString DriverJudge::shortDriver() const
{
    return m_driver ? m_node.driver : tr("CUDA up to %1").arg(versionText(m_can));
}

/// "525" may be older or newer than 525.60.13.
bool DriverJudge::isDriverVague() const
{
    return m_driver.numbers.size() == 1 && m_oldest.driver.numbers.size() > 1
        && m_driver.major() == m_oldest.driver.major();
}

bool DriverJudge::runsByItsDriver() const
{
    return m_can && m_can >= m_wanted;
}

bool DriverJudge::runsWithinItsFamily() const
{
    if (m_driver && m_oldest.driver)
        return m_driver >= m_oldest.driver;
    return !m_driver && m_can.major() == m_wanted.major()
        && m_wanted.major() >= firstMinorCompatible && coversItsFamily(m_can);
}

Judgement DriverJudge::limited(const QString& here) const
{
    return {Verdict::Ok,
        tr("%1 runs here although it is newer than the driver (%2), because both are CUDA %3, with "
           "limits: kernels compiled on the node from newer PTX fail (error 222), and newer "
           "functions of the driver are missing.")
            .arg(cudaText(), here)
            .arg(m_wanted.major()),
        tr("minor-version compatibility of CUDA %1").arg(m_wanted.major()),
        cudaDocument("compatibility")};
}

/// The rules of NVIDIA's guide, in its order.
Judgement DriverJudge::byTable() const
{
    if (!m_driver && !m_can)
        return bySeen();
    if (runsByItsDriver())
        return {Verdict::Ok,
            m_driver ? tr("%1 runs on driver %2.").arg(cudaText(), m_node.driver)
                     : tr("%1 runs here: the driver runs CUDA up to %2.")
                           .arg(cudaText(), versionText(m_can)),
            tr("backward compatibility of drivers"), cudaDocument("compatibility")};
    if (runsWithinItsFamily()) {
        if (m_wanted.major() >= firstMinorCompatible)
            return limited(shortDriver());
        return {Verdict::Ok, tr("%1 runs on driver %2.").arg(cudaText(), m_node.driver),
            tr("minimum driver of CUDA %1").arg(versionText(m_wanted)), m_oldest.source()};
    }
    if (m_image.hasForwardCompatibility)
        return byForwardCompatibility();
    return refused();
}

/// The image's own libcuda stands in for the older driver of the node.
Judgement DriverJudge::byForwardCompatibility() const
{
    const QString rule = tr("forward compatibility (cuda-compat)");
    const QString source = cudaDocument("compatibility");
    if (m_node.kind == GpuKind::GeForce)
        return {Verdict::Fail,
            tr("%1 is newer than the driver (%2), and the cuda-compat libraries in the image do "
               "not help: on GeForce cards they fail with error 804. Choose an image with an "
               "older CUDA.")
                .arg(cudaText(), shortDriver()),
            rule, source};
    if (m_node.kind != GpuKind::DataCenter)
        return {Verdict::Unknown,
            tr("%1 is newer than the driver (%2). The image contains cuda-compat, which works on "
               "data-center and some workstation cards, and it is not known whether these are "
               "among them.")
                .arg(cudaText(), shortDriver()),
            rule, source};
    const bool isAsked = !m_image.requireIsOff && !m_requirement.alternatives.empty();
    GpuNode node = m_node;
    if (node.cuda.isEmpty())
        node.cuda = versionText(m_can); // older than what is wanted, else this is not asked
    if (isAsked && m_driver && m_requirement.heldBy(node) == Held::No)
        return {Verdict::Fail,
            tr("%1 is newer than the driver, and %2 is not among those that the image's "
               "cuda-compat libraries support, by its NVIDIA_REQUIRE_CUDA.")
                .arg(cudaText(), m_node.driver),
            rule, source};
    return {Verdict::Ok,
        tr("%1 is newer than the driver (%2), and the cuda-compat libraries in the image stand in "
           "for it on data-center cards: their folder, usually /usr/local/cuda/compat, must be in "
           "LD_LIBRARY_PATH.")
            .arg(cudaText(), shortDriver()),
        rule, source};
}

/// Neither the driver nor its CUDA is known, at most what a document shows in use.
Judgement DriverJudge::bySeen() const
{
    const Version seen = cudaVersion(m_node.cudaSeen);
    const QString rule = tr("CUDA that is known to have run there");
    if (seen && seen >= m_wanted)
        return {Verdict::Ok,
            tr("%1 runs here: CUDA %2 is known to have run.").arg(cudaText(), versionText(seen)),
            rule, cudaDocument("compatibility")};
    if (seen && seen.major() == m_wanted.major() && seen.major() >= firstMinorCompatible
        && coversItsFamily(seen))
        return limited(tr("CUDA %1 is known to have run").arg(versionText(seen)));
    const QString known = seen
        ? tr(" The newest CUDA that is known to have run there is %1.").arg(versionText(seen))
        : QString();
    return {Verdict::Unknown,
        tr("The driver is not known, so it cannot be said whether CUDA %1 runs on it.%2")
            .arg(versionText(m_wanted), known),
        tr("the driver is not known"), {}};
}

/// A CUDA of the future.
bool DriverJudge::isBeyondTable() const
{
    const CudaDrivers::Entry* const newest = newestFamily();
    return newest && m_wanted.major() > newest->cuda.major();
}

/// Whether the driver is certainly too old. An entry that was not verified decides nothing.
bool DriverJudge::isSurelyTooOld() const
{
    if (m_driver && m_oldest.driver && !m_oldest.unverified && !isDriverVague())
        return true;
    if (isBeyondTable() && m_driver && !newestFamily()->unverified
        && !(m_driver >= newestFamily()->driver))
        return true;
    // By the driver's own CUDA, as the site says; not by one that was derived from the table.
    if (!m_node.cuda.isEmpty() && m_can.major() < m_wanted.major())
        return true;
    return !m_driver && m_can && m_wanted.major() < firstMinorCompatible;
}

/// What is left: a driver that is too old, or may be.
Judgement DriverJudge::refused() const
{
    const QString rule =
        tr("minimum driver of CUDA %1")
            .arg(m_oldest.ofFamily ? QString::number(m_wanted.major()) : versionText(m_wanted));
    const QString source = m_oldest.driver ? m_oldest.source() : cudaDocument("compatibility");
    if (!isSurelyTooOld())
        return {Verdict::Unknown,
            m_oldest.driver
                ? tr("%1 needs driver %2 or newer, and whether the driver here is new enough is "
                     "not certain: %3.")
                      .arg(cudaText(), versionText(m_oldest.driver), driverText())
                : tr("The table of drivers does not know CUDA %1.").arg(versionText(m_wanted)),
            rule, m_oldest.driver ? source : QString()};
    const QString needs = m_oldest.driver
        ? tr("%1 needs driver %2 or newer").arg(cudaText(), versionText(m_oldest.driver))
        : isBeyondTable()
        ? tr("%1 needs a driver newer than %2").arg(cudaText(), versionText(newestFamily()->driver))
        : tr("%1 needs a newer driver").arg(cudaText());
    const QString advice = m_can
        ? tr("choose an image with CUDA %1 or older").arg(versionText(m_can))
        : tr("choose an image with an older CUDA");
    return {Verdict::Fail, tr("%1, and %2: %3.").arg(needs, driverText(), advice), rule, source};
}

/// The requirement on these nodes. The CUDA that the driver runs is a lower bound where only the
/// table says it: it can fulfil, and what it does not fulfil is not certain.
Held DriverJudge::held() const
{
    const Held said = m_requirement.heldBy(m_node);
    if (said != Held::Unknown || !m_node.cuda.isEmpty() || !m_can)
        return said;
    GpuNode derived = m_node;
    derived.cuda = versionText(m_can);
    return m_requirement.heldBy(derived) == Held::Yes ? Held::Yes : Held::Unknown;
}

/// The image runs here, if at all, by one of the kinds of compatibility.
bool DriverJudge::isNewerThanDriver() const
{
    const Version known = m_can ? m_can : cudaVersion(m_node.cudaSeen);
    return !(known && known >= m_wanted);
}

/// The image names no CUDA version, only conditions on the driver or the GPU.
Judgement DriverJudge::byRequirementAlone() const
{
    const QString rule = QStringLiteral("NVIDIA_REQUIRE_CUDA");
    if (m_requirement.alternatives.empty() || m_image.requireIsOff)
        return {Verdict::Unknown,
            tr("The image does not say which CUDA it contains, so whether it can use these GPUs is "
               "not known before it runs."),
            tr("the image does not say"), {}};
    const QString asked = m_image.require.left(80).simplified();
    switch (held()) {
    case Held::Yes:
        return {
            Verdict::Ok, tr("What the image requires, “%1”, is fulfilled.").arg(asked), rule, {}};
    case Held::No:
        return {Verdict::Fail, tr("What the image requires, “%1”, is not fulfilled.").arg(asked),
            rule, {}};
    case Held::Unknown:
        break;
    }
    return {Verdict::Unknown,
        tr("The image requires “%1”, and too little is known of the nodes to tell.").arg(asked),
        rule, {}};
}

/// An image that would run may still be refused by what checks its requirement.
Judgement DriverJudge::withRequirement(Judgement judged) const
{
    const bool isAsked = !m_image.requireIsOff && !m_requirement.alternatives.empty();
    const Held held = this->held();
    if (judged.verdict != Verdict::Ok || !isAsked || held == Held::Yes)
        return judged;
    const QString asked = m_image.require.left(80).simplified();
    if (held == Held::Unknown) {
        if (!m_node.checksRequirement || !isNewerThanDriver())
            return judged;
        return {Verdict::Unknown,
            tr("The image requires “%1”, which NVIDIA's hook checks, and too little is known of "
               "the nodes to tell whether it is fulfilled.")
                .arg(asked),
            QStringLiteral("NVIDIA_REQUIRE_CUDA"), {}};
    }
    if (m_node.checksRequirement)
        return {Verdict::Fail,
            tr("The image requires “%1”, which is not fulfilled here, and NVIDIA's hook does not "
               "start it: set NVIDIA_DISABLE_REQUIRE=1, or choose an image with an older CUDA.")
                .arg(asked),
            QStringLiteral("NVIDIA_REQUIRE_CUDA"), {}};
    judged.sentence += tr(" What it requires, “%1”, is not fulfilled; Apptainer and Singularity do "
                          "not check that.")
                           .arg(asked);
    return judged;
}

Judgement DriverJudge::judge() const
{
    if (!m_wanted)
        return byRequirementAlone();
    return withRequirement(byTable());
}

} // namespace

QString verdictName(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Ok:
        return QStringLiteral("ok");
    case Verdict::Fail:
        return QStringLiteral("fail");
    case Verdict::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

QString decidingCuda(const ImageCuda& image)
{
    const Version own = cudaVersion(image.version);
    if (own && image.requireIsOff)
        return image.version;
    const QString least = CudaRequirement::parse(image.require).leastCuda();
    return own && own >= cudaVersion(least) ? image.version : least;
}

Judgement judgeDriver(const ImageCuda& image, const GpuNode& node)
{
    return DriverJudge(image, node).judge();
}

Judgement judgeCapability(const QString& cuda, const GpuNode& node)
{
    const Version wanted = cudaVersion(cuda), capability = cudaVersion(node.capability);
    const QString rule = tr("compute capability %1").arg(node.capability);
    if (!wanted || !capability)
        return {Verdict::Ok, {}, rule, {}};
    const auto* known = CudaDrivers::own().architecture(capability.major(), capability.minor());
    if (!known)
        return {Verdict::Unknown,
            tr("The table of GPUs does not know compute capability %1, so whether CUDA %2 supports "
               "them is not known.")
                .arg(node.capability, versionText(wanted)),
            rule, {}};
    const QString gpus =
        tr("%1, compute capability %2").arg(QString::fromStdString(known->name), node.capability);
    if (const auto* dropped = droppedBy(wanted, *known))
        return dropped->unverified
            ? Judgement{Verdict::Unknown,
                tr("CUDA %1 probably no longer supports these GPUs (%2): CUDA %3 is said to have "
                   "been the last that did.")
                    .arg(versionText(wanted), gpus, versionText(known->last)),
                rule, cudaDocument("general")}
            : Judgement{Verdict::Fail,
                tr("CUDA %1 no longer supports these GPUs (%2): choose an image with CUDA %3 or "
                   "older.")
                    .arg(versionText(wanted), gpus, versionText(known->last)),
                rule, cudaDocument("nvcc")};
    const Version first = firstCodeFor(*known);
    if (wanted >= known->first)
        return {Verdict::Ok, {}, rule, {}};
    if (wanted >= first)
        return {Verdict::Ok,
            tr("CUDA %1 has no code made for these GPUs (%2), only for others of their family: "
               "that begins with CUDA %3.")
                .arg(versionText(wanted), gpus, versionText(known->first)),
            rule, cudaDocument("general")};
    return {Verdict::Unknown,
        tr("These GPUs (%2) are newer than CUDA %1: only programs that contain PTX can run. Choose "
           "an image with CUDA %3 or newer.")
            .arg(versionText(wanted), gpus, versionText(known->first)),
        rule, cudaDocument("general")};
}

} // namespace slipway
