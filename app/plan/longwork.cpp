// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/longwork.h"

#include "app/catalogue/names.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr char checkpointBase[] = "/slipway/checkpoints/";
/// What stands for the id of a run in a script until its launch sets it.
constexpr char runPlaceholder[] = "{run}";

QString checkpointLines(const Plan& plan)
{
    if (!keepsCheckpoints(plan))
        return {};
    const QString name = checkpointName(plan.values.value(QStringLiteral("checkpoints")));
    return u"# Kept when the job is requeued or ends: the runs that continue this one use the same "
           u"folder.\nexport SLIPWAY_CHECKPOINTS=\""
        + checkpointFolder(plan) + u"\"\ncheckpoint_folder \"$SLIPWAY_CHECKPOINTS\" "
        + shellWord(u"code/" + name) + u" || exit\n";
}

} // namespace

std::optional<EndSignal> parseEndSignal(const QString& text)
{
    // Those for which neither bash nor srun has a meaning of its own.
    static const QRegularExpression form(
        QStringLiteral("\\A(?:SIG)?(USR1|USR2|HUP)@([0-9]{1,5})\\z"));
    constexpr int most = 65535; // sbatch(1), --signal
    const QRegularExpressionMatch match = form.match(text.trimmed());
    const int seconds = match.captured(2).toInt();
    if (!match.hasMatch() || seconds < 1 || seconds > most)
        return {};
    return EndSignal{match.captured(1), std::chrono::seconds(seconds)};
}

QString checkpointName(const QString& text)
{
    constexpr qsizetype longest = 200;
    QString name = text.trimmed();
    while (name.startsWith(u"./"))
        name.remove(0, 2);
    while (name.endsWith(u'/'))
        name.chop(1);
    const bool isPrintable =
        std::all_of(name.begin(), name.end(), [](QChar c) { return c.isPrint(); });
    if (name.isEmpty() || name.size() > longest || !isPrintable)
        return {};
    const QStringList parts = name.split(u'/');
    const bool isPlain = std::none_of(parts.begin(), parts.end(),
        [](const QString& part) { return part.isEmpty() || part == u"." || part == u".."; });
    // What is below results/ is fetched at the end.
    return isPlain && parts.front() != u"results" ? name : QString();
}

bool isChainId(const QString& id)
{
    static const QRegularExpression form(QStringLiteral("\\A[a-z0-9]{1,32}\\z"));
    return form.match(id).hasMatch();
}

bool keepsCheckpoints(const Plan& plan)
{
    return !checkpointName(plan.values.value(QStringLiteral("checkpoints"))).isEmpty();
}

QString checkpointFolder(const Plan& plan)
{
    const QString scratch =
        plan.site.scratch.isEmpty() ? QStringLiteral("$HOME") : plan.site.scratch;
    return scratch + QLatin1String(checkpointBase)
        + (isChainId(plan.spec.chain) ? plan.spec.chain : QString::fromLatin1(runPlaceholder));
}

QString longWorkLines(const Plan& plan)
{
    const QString signal = scriptSignal(plan);
    const QString noted = signal.isEmpty()
        ? QString()
        : u"trap : " + signal + u"  # before the time limit; it is for the program alone\n";
    return checkpointLines(plan) + noted;
}

QByteArray withChain(const Plan& plan, QByteArray script)
{
    const QByteArray base(checkpointBase);
    const QByteArray placeholder = base + runPlaceholder, folder = base + plan.spec.chain.toUtf8();
    return isChainId(plan.spec.chain) ? script.replace(placeholder, folder) : script;
}

QString jobSignal(const Plan& plan, bool toSteps)
{
    const auto wanted = parseEndSignal(plan.values.value(QStringLiteral("signal")));
    if (!wanted || plan.spec.mode != LaunchMode::Batch)
        return {};
    return QStringLiteral("%1%2@%3")
        .arg(toSteps ? QString() : QStringLiteral("B:"), wanted->name)
        .arg(wanted->before.count());
}

QString scriptSignal(const Plan& plan)
{
    const QString prefix = QStringLiteral("B:");
    return plan.job.signal.startsWith(prefix) ? plan.job.signal.mid(2).section(u'@', 0, 0)
                                              : QString();
}

} // namespace slipway
