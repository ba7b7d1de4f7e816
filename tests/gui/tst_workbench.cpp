// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "tests/support/testmain.h"

#include <QApplication>
#include <QFile>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// What the window and its engine do together over time: what a saved site leaves of the others.
class TestWorkbench : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void savedSite_leavesTheDemoClusterDressed();

private:
    static QByteArray demoRunning(const Rig& rig, const QByteArray& connection);
};

/// The line with which the demo cluster's script says that it runs there.
QByteArray TestWorkbench::demoRunning(const Rig& rig, const QByteArray& connection)
{
    const QString path = rig.paths().data % u"/connection.json"_s;
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(connection) != connection.size()) {
        qFatal("cannot write %s", qPrintable(path));
    }
    return R"({"event":"status","state":"running","connection":")" + path.toUtf8() + R"("})";
}

void TestWorkbench::savedSite_leavesTheDemoClusterDressed()
{
    Rig rig;
    rig.setDemoOutput(u"status"_s, demoRunning(rig,
        R"({"host":"127.0.0.1","port":2222,"user":"demo",)"
        R"("dressed_as":"kestrel","site_file":"/x.json",)"
        R"("accounts":["rehearsal"],"gpu":{"real":false,"reason":"stand-ins"},)"
        R"("partitions":[{"name":"gpu-h100","default":true,"nodes":2,"gpus_per_node":4,)"
        R"("max_time":"2:00:00"}]})"));
    rig.start();
    const auto demo = [&] { return rig.workbench().site(u"demo"_s); };
    QTRY_COMPARE(demo()->name, u"Demo cluster, dressed as Kestrel"_s);
    const QString partition = demo()->partitions.front().name;
    for (const QString& id : {u"mine"_s, u"other"_s}) {
        const QByteArray json = R"({"id":")" + id.toUtf8()
            + R"(","name":"Mine","institution":"Here","logins":[{"host":"login.example.org"}]})";
        const auto saved = rig.workbench().saveSite(id, json, false);
        QVERIFY2(saved.ok(), saved.ok() ? "" : qPrintable(saved.error().text()));
        QCOMPARE(demo()->name, u"Demo cluster, dressed as Kestrel"_s);
        QCOMPARE(demo()->partitions.front().name, partition);
        QVERIFY(demo()->gpusAreReal == false);
        QCOMPARE(demo()->gpusNote, u"stand-ins"_s);
    }
}

SLIPWAY_GUI_TEST(TestWorkbench, gui_workbench)
#include "tst_workbench.moc"
