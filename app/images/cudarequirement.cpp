// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/cudarequirement.h"

#include "remote/probe/core/text.h"

#include <QMap>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace slipway {

namespace {

using Condition = CudaRequirement::Condition;
using Held = CudaRequirement::Held;
using Sign = CudaRequirement::Sign;
using probe::Version;

constexpr qsizetype mostAlternatives = 256;
constexpr qsizetype mostConditions = 16;

Version versionOf(const QString& text)
{
    return Version::of(text.toStdString());
}

Condition readCondition(const QString& text)
{
    static const QRegularExpression form(
        QStringLiteral(R"(\A([a-z]{1,20})(>=|<=|==|!=|=|>|<)([A-Za-z0-9.]{1,40})\z)"));
    static const QMap<QString, Sign> signs{{QStringLiteral(">="), Sign::AtLeast},
        {QStringLiteral("<="), Sign::AtMost}, {QStringLiteral("=="), Sign::Equal},
        {QStringLiteral("="), Sign::Equal}, {QStringLiteral("!="), Sign::NotEqual},
        {QStringLiteral(">"), Sign::Greater}, {QStringLiteral("<"), Sign::Less}};
    static const QStringList versions{
        QStringLiteral("cuda"), QStringLiteral("driver"), QStringLiteral("arch")};
    const auto match = form.match(text);
    if (!match.hasMatch())
        return {};
    const Condition read{match.captured(1), signs.value(match.captured(2)), match.captured(3)};
    if (read.subject == u"brand")
        return read.sign == Sign::Equal || read.sign == Sign::NotEqual ? read : Condition();
    return versions.contains(read.subject) && versionOf(read.value) ? read : Condition();
}

bool compares(const Version& here, Sign sign, const Version& wanted)
{
    switch (sign) {
    case Sign::Equal:
        return here == wanted;
    case Sign::NotEqual:
        return !(here == wanted);
    case Sign::Less:
        return here < wanted;
    case Sign::AtMost:
        return wanted >= here;
    case Sign::Greater:
        return wanted < here;
    case Sign::AtLeast:
        break;
    }
    return here >= wanted;
}

/// A brand in the words of NVML. Data-center cards are “tesla” or “nvidia” there, depending on the
/// driver.
Held brandHeld(const QString& brand, GpuKind kind)
{
    static const QMap<GpuKind, QStringList> brands{
        {GpuKind::DataCenter, {QStringLiteral("tesla"), QStringLiteral("nvidia")}},
        {GpuKind::Workstation,
            {QStringLiteral("quadro"), QStringLiteral("quadrortx"), QStringLiteral("nvidiartx")}},
        {GpuKind::GeForce,
            {QStringLiteral("geforce"), QStringLiteral("geforcertx"), QStringLiteral("titan"),
                QStringLiteral("titanrtx")}}};
    if (kind == GpuKind::Unknown)
        return Held::Unknown;
    return brands.value(kind).contains(brand.toLower()) ? Held::Yes : Held::No;
}

Held conditionHeld(const Condition& condition, const GpuNode& node)
{
    if (condition.subject == u"brand") {
        const Held held = brandHeld(condition.value, node.kind);
        if (condition.sign == Sign::Equal || held == Held::Unknown)
            return held;
        return held == Held::Yes ? Held::No : Held::Yes;
    }
    QString here;
    if (condition.subject == u"cuda")
        here = node.cuda;
    else if (condition.subject == u"driver")
        here = node.driver;
    else if (condition.subject == u"arch")
        here = node.capability;
    const Version known = versionOf(here);
    if (!known)
        return Held::Unknown;
    Version wanted = versionOf(condition.value);
    // The driver reports major and minor version of its CUDA only.
    if (condition.subject == u"cuda" && wanted.numbers.size() > 2)
        wanted.numbers.resize(2);
    return compares(known, condition.sign, wanted) ? Held::Yes : Held::No;
}

/// All of them: one No decides.
Held allHeld(const std::vector<Condition>& conditions, const GpuNode& node)
{
    Held all = Held::Yes;
    for (const Condition& condition : conditions) {
        const Held held = conditionHeld(condition, node);
        if (held == Held::No)
            return Held::No;
        if (held == Held::Unknown)
            all = Held::Unknown;
    }
    return all;
}

} // namespace

CudaRequirement CudaRequirement::parse(const QString& text)
{
    static const QRegularExpression space(QStringLiteral("\\s+"));
    CudaRequirement requirement;
    const QStringList parts = text.split(space, Qt::SkipEmptyParts);
    for (const QString& part : parts.mid(0, mostAlternatives)) {
        const QStringList words = part.split(u',', Qt::SkipEmptyParts);
        std::vector<Condition> conditions;
        for (const QString& word : words.mid(0, mostConditions))
            conditions.push_back(readCondition(word));
        if (words.size() > mostConditions)
            conditions.emplace_back(); // what was not read may hold or not
        if (!conditions.empty())
            requirement.alternatives.push_back(std::move(conditions));
    }
    if (parts.size() > mostAlternatives)
        requirement.alternatives.push_back({Condition()});
    return requirement;
}

QString CudaRequirement::leastCuda() const
{
    Version least;
    for (const std::vector<Condition>& conditions : alternatives) {
        Version bound;
        for (const Condition& condition : conditions) {
            const bool fromBelow = condition.sign == Sign::AtLeast
                || condition.sign == Sign::Greater || condition.sign == Sign::Equal;
            const Version version = versionOf(condition.value);
            if (condition.subject == u"cuda" && fromBelow && bound < version)
                bound = version;
        }
        if (bound && (!least || bound < least))
            least = bound;
    }
    return QString::fromStdString(least.text());
}

CudaRequirement::Held CudaRequirement::heldBy(const GpuNode& node) const
{
    Held any = alternatives.empty() ? Held::Yes : Held::No;
    for (const std::vector<Condition>& conditions : alternatives) {
        const Held held = allHeld(conditions, node);
        if (held == Held::Yes)
            return Held::Yes;
        if (held == Held::Unknown)
            any = Held::Unknown;
    }
    return any;
}

} // namespace slipway
