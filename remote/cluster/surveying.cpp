// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/surveying.h"

#include "remote/slurm/records.h"
#include "remote/slurm/submission.h"

namespace slipway {

namespace {

/// Modules, and the variables of the user's start-up files, are available only in a login shell.
QByteArray inLoginShell(const QByteArray& script)
{
    return "bash -l -c " + shellQuoted(script) + " </dev/null 2>/dev/null\n";
}

QByteArray limitsScript(const Sections& sections)
{
    // A node's record begins with its name and its architecture; what follows may contain free
    // text.
    const QByteArray nodes =
        "scontrol -o show nodes"
        " | sed -n 's/^NodeName=[^ ]* Arch=\\([a-z0-9_]*\\) .*/\\1/p' | sort | uniq -c";
    return sections.section("config", "scontrol show config")
        + sections.section("limits", "scontrol -o show partition")
        + sections.section("architectures", nodes) + "exit 0\n";
}

QByteArray containersScript(const Sections& sections)
{
    const QByteArray runtimes = "for p in apptainer singularity; do\n"
                                "  command -v $p >/dev/null && printf '%s|%s\\n' $p \"$(timeout 20 "
                                "$p --version | head -n 1)\"\n"
                                "done\n"
                                "command -v enroot >/dev/null && printf 'enroot|%s\\n' \"$(timeout "
                                "20 enroot version | head -n 1)\"\n"
                                "exit 0";
    // Module commands print their list on stderr.
    const QByteArray modules =
        "type module >/dev/null || exit 3\n"
        "module -t avail 2>&1 | grep -iE 'apptainer|singularity|enroot' | head -n 500";
    const QByteArray ids = "u=$(id -un); n=$(id -u)\n"
                           "{ cat /etc/subuid; getsubids \"$u\" | sed 's/^[0-9]*: *//; s/ /:/g'; }"
                           " | grep -qE \"^($u|$n):\" && echo yes || echo no";
    const QByteArray spaces = "command -v unshare >/dev/null || exit 3\n"
                              "unshare --user --map-root-user true && echo yes || echo no";
    const QByteArray tools =
        "for p in ibrun idev fakeroot; do command -v $p >/dev/null && echo $p; done; exit 0";
    const QByteArray pyxis =
        "command -v srun >/dev/null || exit 3\n"
        "srun --help 2>&1 | grep -q -e '--container-image' && echo yes || echo no";
    // enroot runs the hooks of the site and those of the user.
    const QByteArray hook =
        "command -v enroot >/dev/null || exit 3\n"
        "for d in \"${ENROOT_SYSCONF_PATH:-/etc/enroot}\""
        " \"${ENROOT_CONFIG_PATH:-${XDG_CONFIG_HOME:-$HOME/.config}/enroot}\"; do\n"
        "  for f in \"$d\"/hooks.d/*.sh; do\n"
        "    [ -x \"$f\" ] && grep -qE 'PMIX?_' \"$f\" && { echo yes; exit 0; }\n"
        "  done\n"
        "done\n"
        "echo no";
    return inLoginShell(sections.section("runtimes", runtimes)
               + sections.section("modules", modules) + sections.section("ids", ids)
               + sections.section("spaces", spaces) + sections.section("tools", tools)
               + sections.section("mpihook", hook))
        + sections.section("pyxis", pyxis) + "exit 0\n";
}

QByteArray storageScript(const Sections& sections)
{
    QByteArray scratch =
        "try() {\n"
        "  case $2 in /*) ;; *) return;; esac\n"
        "  s=absent; [ -d \"$2\" ] && s=folder; [ -d \"$2\" ] && [ -w \"$2\" ] && s=writable\n"
        "  printf '%s\\t%s\\t%s\\n' \"$1\" $s \"$2\"\n"
        "}\n";
    for (const QString& expression : scratchExpressions()) {
        const QByteArray text = expression.toUtf8();
        scratch += "try " + shellQuoted(text) + " \"" + text + "\"\n";
    }
    const QByteArray quotas =
        "command -v quota >/dev/null && timeout 15 quota -s -w\n"
        "if command -v lfs >/dev/null; then\n"
        "  for d in \"$HOME\" \"$SCRATCH\" \"$WORK\" /scratch/\"$USER\"; do\n"
        "    [ -d \"$d\" ] && timeout 15 lfs quota -h -u \"$(id -un)\" \"$d\"\n"
        "  done\n"
        "fi\n"
        "exit 0";
    return inLoginShell(
               sections.section("folders", scratch + "exit 0") + sections.section("quotas", quotas))
        + "exit 0\n";
}

std::optional<bool> yesOrNo(const Sections::Answer& answer)
{
    const QByteArray word = answer.out.trimmed();
    if (answer.exitCode != 0 || (word != "yes" && word != "no"))
        return {};
    return word == "yes";
}

void addContainers(const QMap<QByteArray, Sections::Answer>& answers, ClusterSurvey* survey)
{
    survey->runtimes = parseRuntimes(answers.value("runtimes").out);
    const Sections::Answer modules = answers.value("modules");
    survey->hasModules = answers.contains("modules") && modules.exitCode != 3;
    survey->modules = parseRuntimeModules(modules.out);
    survey->subordinateIds = yesOrNo(answers.value("ids"));
    survey->userNamespaces = yesOrNo(answers.value("spaces"));
    survey->pyxis = yesOrNo(answers.value("pyxis"));
    survey->enrootMpiHook = yesOrNo(answers.value("mpihook"));
    const QByteArrayList tools = answers.value("tools").out.split('\n');
    for (const char* tool : {"ibrun", "idev", "fakeroot"}) {
        if (tools.contains(tool))
            survey->tools << QLatin1String(tool);
    }
}

} // namespace

QByteArray surveyScript(SurveyPart part, const Sections& sections)
{
    switch (part) {
    case SurveyPart::Limits:
        return limitsScript(sections);
    case SurveyPart::Containers:
        return containersScript(sections);
    case SurveyPart::Storage:
        return storageScript(sections);
    }
    return {};
}

void addSurvey(
    SurveyPart part, const QByteArray& output, const Sections& sections, ClusterSurvey* survey)
{
    const auto answers = sections.parse(output);
    switch (part) {
    case SurveyPart::Limits:
        survey->config = parseSchedulerConfig(answers.value("config").out);
        survey->limits = parsePartitionLimits(answers.value("limits").out);
        survey->architectures = parseArchitectures(answers.value("architectures").out);
        break;
    case SurveyPart::Containers:
        addContainers(answers, survey);
        break;
    case SurveyPart::Storage:
        survey->scratch = parseScratch(answers.value("folders").out);
        survey->quotas = parseQuotas(answers.value("quotas").out);
        break;
    }
}

QCoro::Task<Result<ClusterSurvey>> surveyCluster(
    std::shared_ptr<SlurmContext> side, SurveyPart part, ClusterSurvey soFar)
{
    const Sections sections(Separators::random().row.mid(4));
    const QByteArray script = surveyScript(part, sections);
    const int calls = part == SurveyPart::Limits ? 3 : 0;
    const auto output = co_await runOn(side, script, calls, std::chrono::minutes(2));
    if (!output.ok())
        co_return output.error();
    addSurvey(part, output->out, sections, &soFar);
    co_return soFar;
}

} // namespace slipway
