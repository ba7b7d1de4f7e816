// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/followscript.h"
#include "remote/cluster/runtail.h"
#include "remote/shell/localshell.h"
#include "tests/support/testmain.h"
#include "tests/unit/cluster/settled.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace slipway;
using namespace std::chrono_literals;

class TestTailScript : public QObject {
    Q_OBJECT

private slots:
    void watch_wakesAtAChange();
    void script_isCleanForShellcheck();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

void TestTailScript::watch_wakesAtAChange()
{
    const QString file = path(QStringLiteral("salloc.rc"));
    FileWatch watch(std::make_shared<RunTail>(std::make_shared<LocalShell>()), {file});
    QElapsedTimer clock;
    clock.start();
    QTimer::singleShot(300, this, [file] {
        QFile rc(file);
        QVERIFY(rc.open(QIODevice::WriteOnly));
        rc.write("0\n");
    });
    const auto waited = [](FileWatch* on, std::chrono::milliseconds atMost) -> QCoro::Task<bool> {
        co_await on->changed(atMost);
        co_return true;
    };
    QVERIFY(settled(waited(&watch, 10s)));
    QVERIFY2(clock.elapsed() < 8000, "it was woken, and did not wait its ten seconds");
    clock.restart();
    QVERIFY(settled(waited(&watch, 100ms)));
    QVERIFY(clock.elapsed() >= 90);
}

void TestTailScript::script_isCleanForShellcheck()
{
    const QString shellcheck = QStandardPaths::findExecutable(QStringLiteral("shellcheck"));
    QVERIFY2(!shellcheck.isEmpty(), "shellcheck is missing (package shellcheck)");
    QFile script(path(QStringLiteral("loop.sh")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\n"
        + followScript({{QStringLiteral("/r/log"), {}, {}, false, 0ms}}, QByteArray(32, 'a'), {}));
    script.close();
    QProcess check;
    // The variables of a file are made by eval; words are split on purpose.
    check.start(shellcheck,
        {QStringLiteral("-e"), QStringLiteral("SC2154,SC2034,SC2046"), script.fileName()});
    QVERIFY(check.waitForFinished());
    QCOMPARE(check.readAllStandardOutput(), QByteArray());
}

SLIPWAY_TEST(TestTailScript, cluster_tailscript)
#include "tst_tailscript.moc"
