// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/options.h"

#include "remote/base/tr.h"

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

Error usage(const QString& summary)
{
    return Error{ErrorKind::Usage, summary, tr("slipway --help lists the options.")};
}

std::optional<QSize> parseSize(const QString& text)
{
    const QStringList parts = text.split(u'x');
    const QSize size(parts.value(0).toInt(), parts.value(1).toInt());
    return parts.size() == 2 && size.width() >= 200 && size.height() >= 200 ? std::optional(size)
                                                                            : std::nullopt;
}

} // namespace

Result<WindowOptions> parseWindowOptions(const QStringList& arguments)
{
    WindowOptions options;
    const QMap<QString, QString*> texts{{u"--demo"_s, &options.demoRecipe},
        {u"--screenshot"_s, &options.screenshot}, {u"--page"_s, &options.page},
        {u"--theme"_s, &options.theme}};
    const QMap<QString, bool*> flags{{u"--benchmark-startup"_s, &options.benchmarkStartup},
        {u"--help"_s, &options.help}, {u"-h"_s, &options.help}, {u"--version"_s, &options.version}};
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& name = arguments[i];
        if (flags.contains(name)) {
            *flags[name] = true;
            continue;
        }
        if (!texts.contains(name) && name != u"--size"_s) {
            return usage(tr("Unknown option “%1”.").arg(name));
        }
        if (++i >= arguments.size()) {
            return usage(tr("%1 requires a value.").arg(name));
        }
        if (name == u"--size"_s) {
            const std::optional<QSize> size = parseSize(arguments[i]);
            if (!size) {
                return usage(tr("“%1” is not a size; write it like 1280x800.").arg(arguments[i]));
            }
            options.size = *size;
        } else {
            *texts[name] = arguments[i];
        }
    }
    if (!options.theme.isEmpty() && options.theme != u"light"_s && options.theme != u"dark"_s) {
        return usage(tr("“%1” is not a theme; use light or dark.").arg(options.theme));
    }
    return options;
}

QString windowHelp()
{
    return tr(
        "slipway [options]: builds and launches GPU containers on Slurm clusters.\n\n"
        "  --demo RECIPE         start the demo cluster if needed, run the recipe, show the run\n"
        "  --theme light|dark    use this theme instead of the system's\n"
        "  --size WxH            size of the window\n"
        "  --page NAME           page to open: sites, launch, runs, or the id of a run\n"
        "  --screenshot FILE     save a picture of the page and quit\n"
        "  --benchmark-startup   print the milliseconds to the first frame and quit\n"
        "  --version             print the version\n"
        "  --help                print this text\n\n"
        "slipway-cli does the same in a terminal.\n");
}

} // namespace slipway
