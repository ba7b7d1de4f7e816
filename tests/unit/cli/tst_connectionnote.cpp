// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/connectionnote.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;
using Phase = ConnectionState::Phase;

/// What the terminal program says of a connection that changes.
class TestConnectionNote : public QObject {
    Q_OBJECT

private slots:
    void change_isSaid_data();
    void change_isSaid();
};

void TestConnectionNote::change_isSaid_data()
{
    QTest::addColumn<Phase>("before");
    QTest::addColumn<Phase>("now");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, Phase before, Phase now, const char* said) {
        QTest::newRow(name) << before << now << QString::fromLatin1(said);
    };
    row("stalled", Phase::Connected, Phase::Stalled, "Stalled: it is silent.");
    row("responds", Phase::Stalled, Phase::Connected, "The connection responds again.");
    row("lost after silence", Phase::Stalled, Phase::Reconnecting,
        "Connection lost (cut?[2J); it is silent. The job continues.");
    row("again", Phase::Reconnecting, Phase::Connected, "Connected again.");
    row("at first", Phase::Connecting, Phase::Connected, "");
    row("ended", Phase::Connected, Phase::Disconnected, "");
    row("wants a person", Phase::Connected, Phase::NeedsUser, "");
}

void TestConnectionNote::change_isSaid()
{
    QFETCH(Phase, before);
    QFETCH(Phase, now);
    QFETCH(QString, said);
    ConnectionState state;
    state.phase = now;
    state.sentence = QStringLiteral("it is silent");
    state.error = Error{ErrorKind::LinkLost, QStringLiteral("cut\x1b[2J")};
    QString note = connectionNote(before, state, QStringLiteral("The job continues."));
    QCOMPARE(note.replace(QChar(0xfffd), u'?'), said);
}

Q_DECLARE_METATYPE(slipway::ConnectionState::Phase)

SLIPWAY_TEST(TestConnectionNote, cli_connectionnote)
#include "tst_connectionnote.moc"
