// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/explain.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QTest>

using namespace slipway;

namespace {

/// A block of tests/data/failures: a text, where it was printed, and the hint that it must have, or
/// the hints that it must not have.
struct FailureText {
    bool wanted = true;
    QStringList hints;
    QString origin;
    QByteArray text;
    QString place; ///< "gpu.txt:12"
};

std::vector<FailureText> readTexts()
{
    std::vector<FailureText> texts;
    const QDir folder(sourcePath() + QStringLiteral("/tests/data/failures"));
    for (const QString& name : folder.entryList({QStringLiteral("*.txt")}, QDir::Files)) {
        int number = 0;
        for (const QByteArray& line : contentOf(folder.filePath(name)).split('\n')) {
            ++number;
            if (!line.startsWith("=== ")) {
                if (!texts.empty())
                    texts.back().text += line + '\n';
                continue;
            }
            FailureText one;
            const QString head = QString::fromUtf8(line.mid(4));
            one.hints = head.section(u'|', 0, 0).split(u' ', Qt::SkipEmptyParts);
            one.origin = head.section(u'|', 1).trimmed();
            one.wanted = one.hints.value(0) != u"not";
            if (!one.wanted)
                one.hints.removeFirst();
            one.place = QStringLiteral("%1:%2").arg(name).arg(number);
            texts.push_back(one);
        }
    }
    return texts;
}

} // namespace

/// The texts of failures that programs printed elsewhere, each with its origin, and texts that look
/// alike and are none.
class TestFailures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void text_hasItsCause_data();
    void text_hasItsCause();
    void everyHint_hasTextsForAndAgainstIt();
    void health_hasNoCause_data();
    void health_hasNoCause();

private:
    std::shared_ptr<const HintBook> m_book;
};

void TestFailures::initTestCase()
{
    std::vector<Error> errors;
    m_book = loadHints(sourcePath() + QStringLiteral("/resources"), {}, &errors);
    QVERIFY2(errors.empty(), errors.empty() ? "" : qPrintable(errors.front().text()));
}

void TestFailures::text_hasItsCause_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("wanted");
    QTest::addColumn<QStringList>("hints");
    for (const FailureText& one : readTexts())
        QTest::newRow(qPrintable(one.place + u' ' + one.hints.value(0)))
            << one.text << one.wanted << one.hints;
}

void TestFailures::text_hasItsCause()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, wanted);
    QFETCH(QStringList, hints);
    ExplainContext context;
    context.endedWell = wanted ? std::optional(false) : std::nullopt; // these jobs had failed
    const auto explanations = explain(m_book, text, context);
    QStringList names;
    for (const Explanation& one : explanations)
        names << one.name;
    if (!wanted) {
        for (const QString& hint : hints)
            QVERIFY2(!names.contains(hint), qPrintable(names.join(u' ')));
        return;
    }
    QVERIFY2(names.value(0) == hints.value(0), qPrintable(u"found: " + names.join(u' ')));
    const Explanation& first = explanations.front();
    QString evidence = first.evidence;
    QVERIFY2(text.contains(evidence.remove(u'…').left(30).toUtf8()), qPrintable(first.evidence));
    qint64 before = 0; // consequences are behind the first line that counts
    for (const EvidenceLine& one : first.further) {
        QVERIFY(one.line >= before && one.line != first.line);
        before = one.line;
    }
}

void TestFailures::everyHint_hasTextsForAndAgainstIt()
{
    QMap<QString, int> with, without;
    QSet<QString> known{QStringLiteral("exception")}, twice;
    for (const FailureText& one : readTexts()) {
        QVERIFY2(!one.origin.isEmpty() && !one.text.trimmed().isEmpty(), qPrintable(one.place));
        for (const QString& hint : one.hints)
            ++(one.wanted ? with : without)[hint];
    }
    QStringList missing;
    for (const Hint& hint : m_book->hints()) {
        QVERIFY2(!hint.name.isEmpty() && !known.contains(hint.name), qPrintable(hint.title));
        known.insert(hint.name);
        if (with.value(hint.name) == 0)
            missing << hint.name + QStringLiteral(" (no text that must match)");
        if (without.value(hint.name) == 0)
            missing << hint.name + QStringLiteral(" (no text that must not match)");
    }
    for (const QString& hint : with.keys() + without.keys())
        QVERIFY2(known.contains(hint), qPrintable(hint));
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u", ")));
}

void TestFailures::health_hasNoCause_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(sourcePath() + QStringLiteral("/tests/data/healthy"));
    QVERIFY(folder.exists());
    for (const QString& name : folder.entryList({QStringLiteral("*.txt")}, QDir::Files))
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

void TestFailures::health_hasNoCause()
{
    QFETCH(QString, file);
    const QByteArray text = contentOf(file);
    QVERIFY(!text.isEmpty());
    for (const Explanation& one : explain(m_book, text))
        QVERIFY2(one.severity == Explanation::Severity::Note,
            qPrintable(
                QStringLiteral("%1, line %2: %3").arg(one.name).arg(one.line).arg(one.evidence)));
}

SLIPWAY_TEST(TestFailures, explain_failures)
#include "tst_failures.moc"
