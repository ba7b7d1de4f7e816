// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/options.h"

#include "remote/base/tr.h"

#include <QCommandLineParser>
#include <QFileInfo>

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

/// The word that the parser did not understand: it gives names without their dashes, and of "-size"
/// each letter.
QString typedWord(const QString& unknown, const QStringList& arguments)
{
    for (const QString& word : arguments) {
        const bool letters = word.startsWith(u'-') && !word.startsWith(u"--");
        if (word.section(u'=', 0, 0) == u"--" % unknown || (letters && word.contains(unknown))) {
            return word;
        }
    }
    return unknown;
}

/// Whether a word names a program or a folder, as for slipway-cli run.
bool isPath(const QString& word)
{
    return word.contains(u'/') || QFileInfo::exists(word);
}

/// The first mistake; none: all options and values can be read.
std::optional<Error> mistake(const QCommandLineParser& parser, bool parsed,
    const QStringList& arguments, const QStringList& valued)
{
    const QStringList unknown = parser.unknownOptionNames();
    if (!unknown.isEmpty()) {
        return usage(tr("Unknown option “%1”.").arg(typedWord(unknown.first(), arguments)));
    }
    const QStringList words = parser.positionalArguments();
    if (!words.isEmpty() && !isPath(words.first())) {
        return usage(tr("Unknown option “%1”.").arg(words.first()));
    }
    if (words.size() > 1) {
        return usage(tr("One program or folder at a time; “%1” is another one.").arg(words[1]));
    }
    for (const QString& name : valued) {
        if (parser.values(name).size() < parser.optionNames().count(name)) {
            return usage(tr("%1 requires a value.").arg(u"--" % name));
        }
    }
    return parsed ? std::nullopt : std::optional(usage(parser.errorText()));
}

} // namespace

Result<WindowOptions> parseWindowOptions(const QStringList& arguments)
{
    QCommandLineParser parser;
    const QStringList valued{u"demo"_s, u"screenshot"_s, u"page"_s, u"theme"_s, u"size"_s};
    for (const QString& name : valued) {
        parser.addOption(QCommandLineOption(name, {}, u"value"_s));
    }
    for (const QStringList& names : {QStringList{u"benchmark-startup"_s}, {u"no-share"_s},
             {u"help"_s, u"h"_s}, {u"version"_s}}) {
        parser.addOption(QCommandLineOption(names));
    }
    const bool parsed = parser.parse(QStringList(QString()) + arguments); // the first: the program
    if (const std::optional<Error> wrong = mistake(parser, parsed, arguments, valued)) {
        return *wrong;
    }
    WindowOptions options;
    options.demoRecipe = parser.value(u"demo"_s);
    options.screenshot = parser.value(u"screenshot"_s);
    options.page = parser.value(u"page"_s);
    options.project = parser.positionalArguments().value(0);
    options.theme = parser.value(u"theme"_s);
    options.benchmarkStartup = parser.isSet(u"benchmark-startup"_s);
    options.shares = !parser.isSet(u"no-share"_s);
    options.help = parser.isSet(u"help"_s);
    options.version = parser.isSet(u"version"_s);
    if (parser.isSet(u"size"_s)) {
        const std::optional<QSize> size = parseSize(parser.value(u"size"_s));
        if (!size) {
            return usage(
                tr("“%1” is not a size; write it like 1280x800.").arg(parser.value(u"size"_s)));
        }
        options.size = *size;
    }
    if (!options.theme.isEmpty() && options.theme != u"light"_s && options.theme != u"dark"_s) {
        return usage(tr("“%1” is not a theme; use light or dark.").arg(options.theme));
    }
    return options;
}

QString windowHelp()
{
    return tr(
        "slipway [options] [PATH]: builds and launches GPU containers on Slurm clusters.\n\n"
        "  PATH                  a program of yours or its folder: shows its launch form\n"
        "  --demo RECIPE         start the demo cluster if needed, run the recipe, show the run\n"
        "  --theme light|dark    use this theme instead of the system's\n"
        "  --size WxH            size of the window\n"
        "  --page NAME           page to open: sites, launch, launch:RECIPE[@SITE], runs,\n"
        "                        compare, compare:RUN,RUN, images, images:IMAGE, or the id of a\n"
        "                        run\n"
        "  --screenshot FILE     save a picture of the page and quit\n"
        "  --no-share            use connections of its own, not those of other programs\n"
        "  --benchmark-startup   print the milliseconds to the first frame and quit\n"
        "  --version             print the version\n"
        "  --help                print this text\n\n"
        "slipway-cli does the same in a terminal.\n");
}

} // namespace slipway
