// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/dockerfile.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

using namespace slipway;

/// The conversion of a Dockerfile to a definition file, which is pure. What comes out is read again
/// by a small parser that follows Apptainer's, and the shell checks the syntax of its scripts.
class TestDockerfile : public QObject {
    Q_OBJECT

private slots:
    void instruction_becomesLines_data();
    void instruction_becomesLines();
    void difference_isRemarked_data();
    void difference_isRemarked();
    void file_becomesItsDefinition_data();
    void file_becomesItsDefinition();
    void hostileText_beginsNoSection_data();
    void hostileText_beginsNoSection();
    void arguments_replaceDefaults();
    void target_leavesOutLaterStages();
    void folder_isCopiedWithItsContent_data();
    void folder_isCopiedWithItsContent();
    void lines_mapBothWays();
};

namespace {

const QString root = sourcePath() + QStringLiteral("/tests/data/dockerfiles/");

struct Section {
    QString head, body;
};

/// The sections as Apptainer's parser finds them: a line whose first word begins with a percent
/// sign begins one, however it is indented, and “Bootstrap:” at its very beginning begins a stage.
QList<Section> sectionsOf(const QString& definition)
{
    QList<Section> sections;
    for (const QString& line : definition.split(u'\n')) {
        if (line.trimmed().startsWith(u'%') || line.startsWith(u"bootstrap:", Qt::CaseInsensitive))
            sections.append({line, {}});
        else if (!sections.isEmpty())
            sections.last().body += line + u'\n';
    }
    return sections;
}

/// What Apptainer or the shell would not take; empty: nothing.
QString problemOf(const QString& definition)
{
    static const QRegularExpression head(QStringLiteral(
        R"(\A(Bootstrap: docker|%post( -c /\S+)?|%files( from \S+)?|%environment|%labels|%runscript)\z)"));
    static const QRegularExpression argument(QStringLiteral(R"(\{\{\s*\w+\s*\}\})"));
    if (argument.match(definition).hasMatch())
        return QStringLiteral("Apptainer would take a text for a build argument");
    for (const Section& section : sectionsOf(definition)) {
        if (!head.match(section.head).hasMatch())
            return QStringLiteral("is not a section: ") + section.head;
        if (section.head.startsWith(u"%files") || section.head.startsWith(u"%labels")
            || section.head.startsWith(u'B'))
            continue;
        QProcess shell;
        shell.setProcessChannelMode(QProcess::MergedChannels);
        shell.start(section.head.contains(u"bash") ? QStringLiteral("bash") : QStringLiteral("sh"),
            {QStringLiteral("-n")});
        shell.write(section.body.toUtf8());
        shell.closeWriteChannel();
        if (!shell.waitForFinished(30'000) || shell.exitCode() != 0)
            return section.head + QStringLiteral(": ") + QString::fromUtf8(shell.readAll())
                + section.body;
    }
    return {};
}

Conversion converted(const QByteArray& text, const ConversionRequest& request = {})
{
    const Result<Conversion> result = convertDockerfile(text, request);
    return result.ok() ? *result : Conversion{result.error().text(), {}, {}};
}

} // namespace

void TestDockerfile::instruction_becomesLines_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("section");
    QTest::addColumn<QString>("lines");
    const auto row = [](const char* name, const char* body, const char* section,
                         const char* lines) {
        QTest::newRow(name) << QByteArray(body) << QString::fromUtf8(section)
                            << QString::fromUtf8(lines);
    };
    row("a command", "RUN make install", "%post", "make install\n");
    row("words", R"(RUN ["make", "A B", "it's"])", "%post", "make 'A B' 'it'\\''s'\n");
    row("cd ends with its RUN", "RUN cd /x && make", "%post", "(\n    cd /x && make\n)\n");
    row("a failure before ; is ignored", "RUN a; b", "%post", "(\n    set +e\n    a; b\n)\n");
    row("continued", "RUN a \\\n  # why\n\n  b", "%post", "a \\\n    b\n");
    row("a word goes on", "RUN ec\\\nho", "%post", "echo\n");
    row("a line break in quotes", "RUN echo 'a \\\nb'", "%post", "echo 'a b'\n");
    row("a comment", "RUN a # b", "%post", "/bin/sh -c 'a # b'\n");
    row("environment", "ENV A=1 B=\"x y\"", "%environment", "export A=1\nexport B='x y'\n");
    row("environment in %post", "ENV A=1\nRUN a\nENV A=2", "%post", "export A=1\na\nexport A=2\n");
    row("old environment", "ENV A b  c", "%environment", "export A='b  c'\n");
    row("known variables", "ENV A=1\nENV A=2 B=$A", "%environment",
        "export A=1\nexport A=2\nexport B=1\n");
    row("unknown variables", "ENV PATH=/x:$PATH", "%environment", "export PATH=\"/x:${PATH}\"\n");
    row("a default", "ARG X\nENV A=${X:-y$z} B=${X:+n}", "%environment",
        "export A=\"${X:-y${z}}\"\nexport B=\"${X:+n}\"\n");
    row("a default that is not needed", "ARG X=1\nENV A=${X:-y} B=${X:+n} C='$X'", "%environment",
        "export A=1\nexport B=n\nexport C='$X'\n");
    row("ARG is for the build", "ARG X=\"a b\"\nRUN echo $X", "%post", "export X='a b'\necho $X\n");
    row("ENV wins over ARG", "ENV X=1\nARG X=2\nENV Y=$X", "%environment",
        "export X=1\nexport Y=1\n");
    row("folders", "WORKDIR /a\nWORKDIR b/../c", "%post",
        "mkdir -p /a\ncd /a\nmkdir -p /a/c\ncd /a/c\n");
    row("a file", "COPY a.txt /x/b.txt", "%files", "a.txt /x/b.txt\n");
    row("several files", "WORKDIR /w\nCOPY a.c b.c ./", "%files", "a.c /w/\nb.c /w/\n");
    row("all files", "COPY . /app", "%files", ". /app/\n");
    row("a folder", "COPY src/ /app/", "%files", "src/. /app/\n");
    row("its own name", "COPY src /app/src", "%files", "src /app/\n");
    row("wildcards", "COPY *.py /app", "%files", "*.py /app/\n");
    row("names with blanks", R"(COPY ["a b", "/c d"])", "%files", "\"a b\" \"/c d\"\n");
    row("no option of cp", "COPY -rf /x", "%files", "./-rf /x\n");
    row("a mode", "COPY --chmod=755 run.sh /usr/bin/", "%post", "chmod -R 755 /usr/bin/run.sh\n");
    row("a here-document as a file", "ARG X=1\nCOPY <<E /a/b\n$X '\\$y'\nE", "%post",
        "export X=1\nmkdir -p /a\nprintf %s '1 '\\''$y'\\''\n' > /a/b\n");
    row("an archive", "ADD a.tar.gz /x", "%files", "a.tar.gz /slipway-add/1/\n");
    row("a script", "RUN <<E\na\nb\nE", "%post", "/bin/sh -c 'a\nb\n'\n");
    row("bash", "SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\nRUN a | b",
        "%post -c /bin/bash", "set -o pipefail\na | b\n");
    row("bash that a RUN installs", "RUN apk add bash\nSHELL [\"/bin/bash\", \"-c\"]\nRUN a",
        "%post", "apk add bash\n/bin/bash -c a\n");
    row("another shell", "SHELL [\"python3\", \"-c\"]\nRUN print('a')", "%post",
        "python3 -c 'print('\\''a'\\'')'\n");
    row("labels", "LABEL a.b=\"c d\" e=f\nLABEL g h i", "%labels", "a.b c d\ne f\ng h i\n");
    row("a maintainer", "MAINTAINER A B <c@d>", "%labels", "maintainer A B <c@d>\n");
    row("entry point and command", "ENTRYPOINT [\"a\"]\nCMD [\"b\", \"c d\"]", "%runscript",
        "if [ $# -eq 0 ]; then\n    set -- b 'c d'\nfi\nexec a \"$@\"\n");
    row("entry point alone", "ENTRYPOINT [\"a\"]", "%runscript", "exec a \"$@\"\n");
    row("command alone", "CMD [\"b\"]", "%runscript",
        "if [ $# -gt 0 ]; then\n    exec \"$@\"\nfi\nexec b\n");
    row("a shell as the entry point", "ENTRYPOINT a -b\nCMD [\"c\"]", "%runscript",
        "exec /bin/sh -c 'a -b'\n");
    row("the last command counts", "CMD a\nCMD [\"b\"]\nENTRYPOINT []", "%runscript",
        "if [ $# -gt 0 ]; then\n    exec \"$@\"\nfi\nexec b\n");
    row("the folder of the command", "WORKDIR /w\nENTRYPOINT [\"a\"]", "%runscript",
        "cd /w || exit\nexec a \"$@\"\n");
}

void TestDockerfile::instruction_becomesLines()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, section);
    QFETCH(QString, lines);
    const Conversion conversion = converted("FROM debian:12\n" + body + '\n');
    QVERIFY2(
        problemOf(conversion.definition).isEmpty(), qPrintable(problemOf(conversion.definition)));
    QString found;
    for (const Section& one : sectionsOf(conversion.definition))
        if (one.head == section)
            found = one.body;
    // Indented by four, and %post begins with set -e.
    found.remove(QRegularExpression(
        QStringLiteral("^    (set -e\n)?"), QRegularExpression::MultilineOption));
    while (found.endsWith(u"\n\n"))
        found.chop(1);
    QCOMPARE(found, lines);
}

void TestDockerfile::difference_isRemarked_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("line");
    QTest::addColumn<bool>("isLost");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* body, int line, bool isLost, const char* words) {
        QTest::newRow(QByteArray(body).simplified().constData())
            << QByteArray(body) << line << isLost << QString::fromUtf8(words);
    };
    row("RUN a\nCOPY x /x", 3, false, "before %post");
    row("RUN rm -rf /x/y\nCOPY z /x/y", 3, true, "the RUN in line 2");
    row("COPY --from=nginx /a /b", 2, true, "is an image");
    row("COPY --from=3 /a /b", 2, true, "no stage 3");
    row("COPY $(id) /x", 2, true, "a shell on the machine");
    row("COPY ../x /x", 2, true, "outside");
    row("COPY --chown=a:b x.c /x", 2, false, "owner");
    row("COPY --parents a /x", 2, true, "--parents");
    row("COPY data /x/", 2, false, "taken for a file");
    row("COPY a $WHERE", 2, true, "depends on the base image");
    row("ADD https://e.org/a.zip /x/", 2, false, "curl or wget");
    row("ADD git@e.org:a.git /x", 2, true, "git clone");
    row("ADD a.tgz /x", 2, false, "unpacks");
    row("RUN --mount=type=cache,target=/c a", 2, false, "cache");
    row("RUN --mount=type=secret,id=s a", 2, true, "secret");
    row("RUN --mount=type=ssh a", 2, true, "SSH");
    row("RUN --mount=type=bind,target=/x a", 2, true, "mounted files");
    row("RUN --mount=target=/x a", 2, true, "mounted files");
    row("RUN --network=none a", 2, false, "--network");
    row("USER 1000", 2, false, "the caller");
    row("EXPOSE 80", 2, false, "network");
    row("VOLUME /data", 2, false, "bind a folder to /data");
    row("STOPSIGNAL 9", 2, false, "Slurm");
    row("HEALTHCHECK --interval=5s CMD a", 2, false, "health");
    row("ONBUILD RUN a", 2, true, "later builds");
    row("WORKDIR /w", 2, false, "changes to /w");
    row("ENV A=$B", 2, false, "does not set B");
    row("ENV 1A=2", 2, true, "1A");
    row("LABEL \"a b\"=c", 2, true, "a b");
    row("CMD a", 2, false, "entry point");
    row("SHELL a", 2, true, "SHELL");
    row("ARG TARGETARCH", 2, false, "amd64");
    row("RUN a\x1b[31m", 2, false, "Control characters");
    row("FROM --platform=linux/arm64 a", 2, false, "--platform");
    row("FROM a AS b\nFROM c", 2, false, "left out");
}

void TestDockerfile::difference_isRemarked()
{
    QFETCH(QByteArray, body);
    QFETCH(int, line);
    QFETCH(bool, isLost);
    QFETCH(QString, words);
    const Conversion conversion = converted("FROM debian:12\n" + body + '\n');
    QStringList said;
    bool isSaid = false;
    for (const ConversionRemark& remark : conversion.remarks) {
        said << QStringLiteral("%1 %2: %3")
                    .arg(remark.line)
                    .arg(remark.instruction, remark.sentence);
        isSaid = isSaid
            || (remark.line == line && remark.sentence.contains(words)
                && (remark.severity == RemarkSeverity::Lost) == isLost);
    }
    QVERIFY2(isSaid, qPrintable(said.join(u'\n') + conversion.definition));
    QCOMPARE(conversion.hasLosses(), isLost);
}

void TestDockerfile::file_becomesItsDefinition_data()
{
    QTest::addColumn<QString>("name");
    const QStringList files = QDir(root).entryList({QStringLiteral("*.Dockerfile")});
    QVERIFY(files.size() >= 6);
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << file.chopped(11);
}

void TestDockerfile::file_becomesItsDefinition()
{
    QFETCH(QString, name);
    const Conversion conversion = converted(contentOf(root + name + QStringLiteral(".Dockerfile")));
    QCOMPARE(
        conversion.definition, QString::fromUtf8(contentOf(root + name + QStringLiteral(".def"))));
    QVERIFY2(
        problemOf(conversion.definition).isEmpty(), qPrintable(problemOf(conversion.definition)));
    QVERIFY(!conversion.hasLosses());
}

void TestDockerfile::hostileText_beginsNoSection_data()
{
    QTest::addColumn<QByteArray>("body");
    for (const char* body : {"RUN %post", "RUN a \\\n%files\n", "RUN a \\\n\xc2\xa0%files\n",
             "RUN <<E\n%setup\n  %setup\nbootstrap: docker\nBOOTSTRAP:x\nE",
             "RUN [\"a\", \"\\n%setup\\n{{ x }}\"]", "RUN echo '{{ x }}' {{{ y }}}",
             "ENV A={{x}} B=${C:-{{{x}}}}", "LABEL a={{x}} b={{{x}}}", "COPY {{x}} /y",
             "COPY x /{{x}}", "COPY <<E /x\n%setup\n$X\n%setup\n{{ x }}\nE",
             "CMD [\"a\", \"\\n%setup\"]", "ENTRYPOINT \"unclosed", "RUN echo ) ; (",
             "RUN echo \"unclosed", "RUN a &&", "RUN if true; then a", "RUN a \\", "RUN }", "RUN {",
             "RUN foo() { a; }", "RUN case x in x) a ;; esac", "RUN cat <<E\n\"\nE", "RUN `",
             "RUN a`b", "RUN $(", "RUN ;", "RUN ! a", "RUN for", "RUN done", "RUN a |",
             "ENV A=\"$(id)`id`\"", "ARG A=`id`\nENV B=$A", "WORKDIR '$(id)'",
             "SHELL [\"/x y/bash;id\", \"-c\"]\nRUN a", "ADD https://e.org/$(id) /x",
             "ADD a.tar.gz '/x;id'", "RUN a\r\nRUN b\rc", "COPY --chmod=$(id) a.c /b"})
        QTest::newRow(
            QByteArray(body).simplified().toPercentEncoding(" \"'$`(){}<>;&|%").constData())
            << QByteArray(body);
}

void TestDockerfile::hostileText_beginsNoSection()
{
    QFETCH(QByteArray, body);
    const Result<Conversion> conversion = convertDockerfile("FROM debian:12\n" + body + '\n');
    QVERIFY2(conversion.ok(), qPrintable(conversion.ok() ? QString() : conversion.error().text()));
    QVERIFY2(
        problemOf(conversion->definition).isEmpty(), qPrintable(problemOf(conversion->definition)));
    for (const Section& section : sectionsOf(conversion->definition))
        if (section.head.startsWith(u"%files"))
            QVERIFY2(!section.body.contains(QRegularExpression(QStringLiteral("[$`;{]"))),
                qPrintable(section.body));
}

void TestDockerfile::arguments_replaceDefaults()
{
    const QByteArray text = "ARG TAG=1\nARG BASE=debian:${TAG}\nFROM ${BASE}\nARG TAG\nARG X=2\n"
                            "ENV T=$TAG Y=$X\n";
    QVERIFY(converted(text).definition.contains(u"From: debian:1\n"));
    ConversionRequest request;
    request.arguments = {{QStringLiteral("TAG"), QStringLiteral("12")},
        {QStringLiteral("X"), QStringLiteral("a b")}};
    const QString definition = converted(text, request).definition;
    QVERIFY(definition.contains(u"From: debian:12\n"));
    QVERIFY(definition.contains(u"export T=12\n    export Y='a b'\n"));
}

void TestDockerfile::target_leavesOutLaterStages()
{
    const QByteArray text = "FROM a AS one\nRUN x\nFROM b AS two\nCOPY --from=0 /x /y\nFROM c\n";
    ConversionRequest request;
    request.target = QStringLiteral("two");
    const QString definition = converted(text, request).definition;
    QVERIFY(definition.contains(u"Stage: one\n"));
    QVERIFY(definition.contains(u"From: b\nStage: two\n\n%files from one\n    /x /y\n"));
    QVERIFY(!definition.contains(u"From: c"));
    request.target = QStringLiteral("three");
    QVERIFY(!convertDockerfile(text, request).ok());
}

void TestDockerfile::folder_isCopiedWithItsContent_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("line");
    const auto row = [](const char* body, const char* line) {
        QTest::newRow(QByteArray(body).simplified().constData())
            << QByteArray(body) << QString::fromUtf8(line);
    };
    row("COPY folder /x/", "folder/. /x/");
    row("COPY folder /x/folder/", "folder /x/");
    row("COPY file /x/", "file /x/");
    row("COPY file /x/file/", "file /x/file/");
    row("COPY --from=s /opt/app /opt/app", "/opt/app /opt/");
    row("COPY --from=s /install /usr/local", "/install/* /usr/local/");
    row("COPY --from=s /a/b/ /c", "/a/b/* /c/");
}

void TestDockerfile::folder_isCopiedWithItsContent()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, line);
    ConversionRequest request;
    request.isFolder = [](const QString& path) { return path == u"folder"; };
    const Conversion conversion = converted("FROM a AS s\nFROM b\n" + body + '\n', request);
    QVERIFY2(conversion.definition.contains(QStringLiteral("\n    %1\n").arg(line)),
        qPrintable(conversion.definition));
}

void TestDockerfile::lines_mapBothWays()
{
    const Conversion conversion =
        converted("FROM a\n\nENV X=1\nRUN b \\\n    c\nUSER d\nCMD [\"e\"]\n");
    const QStringList lines = conversion.definition.split(u'\n');
    const auto text = [&lines](const ConvertedLines& one) {
        return QStringList(lines.mid(one.firstResult - 1, one.lastResult - one.firstResult + 1))
            .join(u'|');
    };
    QCOMPARE(conversion.lines.size(), 6);
    QCOMPARE(text(conversion.lines[0]), QStringLiteral("Bootstrap: docker|From: a"));
    QCOMPARE(conversion.lines[1].firstLine, 3);
    QCOMPARE(text(conversion.lines[1]), QStringLiteral("    export X=1"));
    QCOMPARE(text(conversion.lines[2]), QStringLiteral("    export X=1"));
    QVERIFY(conversion.lines[1].firstResult < conversion.lines[2].firstResult);
    QCOMPARE(conversion.lines[3].instruction, QStringLiteral("RUN"));
    QCOMPARE(conversion.lines[3].firstLine, 4);
    QCOMPARE(conversion.lines[3].lastLine, 5);
    QCOMPARE(text(conversion.lines[3]), QStringLiteral("    b \\|        c"));
    QCOMPARE(conversion.lines[4], (ConvertedLines{QStringLiteral("USER"), 6, 6, 0, 0}));
    QVERIFY(text(conversion.lines[5]).endsWith(u"|    exec e"));
}

SLIPWAY_TEST(TestDockerfile, project_dockerfile)
#include "tst_dockerfile.moc"
