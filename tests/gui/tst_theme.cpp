// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "tests/support/testmain.h"
#include "ui/look/colours.h"
#include "ui/look/fonts.h"
#include "ui/look/systemlook.h"
#include "ui/sites/sitewords.h"

#include <QApplication>
#include <QDir>
#include <QFontInfo>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The look as values: contrast, fonts, and how the desktop's preference is read.
class TestTheme : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void text_hasContrast_data();
    void text_hasContrast();
    void theme_switchesAtRunTime();
    void text_scalesToTwice();
    void code_isMonospaceAndNeverJetBrainsMono();
    void desktop_isInferred_data();
    void desktop_isInferred();
    void nvidiaGpu_isSaidOnlyIfKnown();
};

void TestTheme::text_hasContrast_data()
{
    QTest::addColumn<QColor>("text");
    QTest::addColumn<QColor>("ground");
    for (const Colours* set : {&Colours::light(), &Colours::darkSet()}) {
        const Colours& c = *set;
        const std::pair<const char*, QColor> texts[] = {{"text", c.text}, {"second", c.secondText},
            {"accent", c.accent}, {"done", c.done}, {"running", c.running}, {"warning", c.warning},
            {"error", c.error}};
        for (const auto& [name, tint] : texts) {
            const QColor colour = tint == c.text || tint == c.secondText ? tint : c.ink(tint);
            const QByteArray row = QByteArray(c.dark ? "dark " : "light ") + name;
            QTest::newRow(QByteArray(row + " on surface").constData()) << colour << c.surface;
            QTest::newRow(QByteArray(row + " on page").constData()) << colour << c.page;
            if (colour != c.text && colour != c.secondText) {
                QTest::newRow(QByteArray(row + " on its pill").constData())
                    << colour << c.soft(colour);
            }
        }
        const QByteArray which = c.dark ? "dark" : "light";
        QTest::newRow(QByteArray(which + " primary button").constData()) << c.onAccent << c.accent;
        QTest::newRow(QByteArray(which + " danger button").constData()) << c.onAccent << c.error;
        QTest::newRow(QByteArray(which + " text on a warning").constData())
            << c.text << c.soft(c.warning);
        QTest::newRow(QByteArray(which + " second text on an error").constData())
            << c.secondText << c.soft(c.error);
    }
}

void TestTheme::text_hasContrast()
{
    QFETCH(QColor, text);
    QFETCH(QColor, ground);
    const double ratio = contrastRatio(text, ground);
    QVERIFY2(
        ratio >= 4.5, qPrintable(u"%1 on %2: %3"_s.arg(text.name(), ground.name()).arg(ratio)));
}

void TestTheme::theme_switchesAtRunTime()
{
    Theme theme;
    theme.setChoice(Theme::Choice::Dark);
    QCOMPARE(QApplication::palette().color(QPalette::Window), Colours::darkSet().page);
    QVERIFY(Colours::now().dark);
    theme.setChoice(Theme::Choice::Light);
    QCOMPARE(QApplication::palette().color(QPalette::Window), Colours::light().page);
    QVERIFY(qApp->styleSheet().contains(u"#0b7285"_s));
    QVERIFY2(!qApp->styleSheet().contains(u'@'), "a word of the style sheet was not filled in");
}

void TestTheme::text_scalesToTwice()
{
    Theme theme;
    theme.setTextScale(2.0);
    QCOMPARE(QApplication::font().pointSizeF(), 20.0);
    QCOMPARE(fontFor(TextRole::Title).pointSizeF(), 30.0);
    theme.setTextScale(5.0);
    QCOMPARE(theme.textScale(), Theme::mostScale);
    theme.setTextScale(1.0);
    QCOMPARE(QApplication::font().pointSizeF(), 10.0);
}

void TestTheme::code_isMonospaceAndNeverJetBrainsMono()
{
    const QFontInfo code(fontFor(TextRole::Code));
    QVERIFY2(code.fixedPitch(), qPrintable(code.family()));
    QVERIFY(code.family() != u"JetBrains Mono"_s); // it draws "==>" as one arrow
}

void TestTheme::desktop_isInferred_data()
{
    QTest::addColumn<QByteArray>("variable");
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QByteArray>("gtk");
    QTest::addColumn<QByteArray>("kde");
    QTest::addColumn<bool>("paletteIsDark");
    QTest::addColumn<bool>("dark");
    const QByteArray no;
    QTest::newRow("nothing known") << no << no << no << no << false << false;
    QTest::newRow("dark palette") << no << no << no << no << true << true;
    QTest::newRow("GTK_THEME") << QByteArray("Adwaita:dark") << no << no << no << false << true;
    QTest::newRow("GTK_THEME beats the palette")
        << QByteArray("Adwaita") << no << no << no << true << false;
    QTest::newRow("gsettings") << no << QByteArray("'prefer-dark'") << no << no << false << true;
    QTest::newRow("gsettings light")
        << no << QByteArray("'prefer-light'") << no << no << true << false;
    QTest::newRow("settings.ini") << no << no
                                  << QByteArray(
                                         "[Settings]\ngtk-application-prefer-dark-theme = 1\n")
                                  << no << false << true;
    QTest::newRow("KDE") << no << no << no << QByteArray("[General]\nColorScheme=BreezeDark\n")
                         << false << true;
    QTest::newRow("KDE light") << no << no << no
                               << QByteArray("[General]\nColorScheme=BreezeLight\n") << true
                               << false;
}

void TestTheme::desktop_isInferred()
{
    QFETCH(QByteArray, variable);
    QFETCH(QByteArray, scheme);
    QFETCH(QByteArray, gtk);
    QFETCH(QByteArray, kde);
    QFETCH(bool, paletteIsDark);
    QTEST(isDark({variable, scheme, gtk, kde, paletteIsDark}), "dark");
}

void TestTheme::nvidiaGpu_isSaidOnlyIfKnown()
{
    const QTemporaryDir root;
    const auto put = [&](const QString& path, const QByteArray& text) {
        QDir(root.path()).mkpath(path.section(u'/', 0, -2));
        QFile file(root.filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    const QString top = root.path() % u'/';
    QVERIFY(!hasNvidiaGpu(top)); // no PCI bus to look at: unknown
    put(u"sys/bus/pci/devices/0/vendor"_s, "0x8086\n");
    put(u"sys/bus/pci/devices/0/class"_s, "0x030000\n");
    QCOMPARE(hasNvidiaGpu(top), std::optional(false));
    put(u"sys/bus/pci/devices/1/vendor"_s, "0x10de\n");
    put(u"sys/bus/pci/devices/1/class"_s, "0x030200\n");
    QVERIFY(!hasNvidiaGpu(top)); // a card without a driver: unknown
    put(u"proc/driver/nvidia/version"_s, "NVRM\n");
    QCOMPARE(hasNvidiaGpu(top), std::optional(true));
}

SLIPWAY_GUI_TEST(TestTheme, gui_theme)
#include "tst_theme.moc"
