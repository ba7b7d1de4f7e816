// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QTest>

// Qt Test's own five seconds are not enough where a sanitized program shares two busy processors
// with other tests. A condition that is met costs no more.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT((condition), 20'000)
#define QTRY_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT((condition), message, 20'000)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT((actual), (expected), 20'000)

namespace slipway::testing {

/// TestEntry is one test class of a program that holds those of a whole folder: linking a folder
/// once costs less than linking its libraries into every class. CTest starts the program once a
/// class, so that each has a process, an application object and a result of its own. Static; main
/// thread.
struct TestEntry {
    using Run = int (*)(int argc, char** argv);
    TestEntry(const char* entryName, Run entryRun);

    const char* name;
    Run run;
    TestEntry* next;
};

} // namespace slipway::testing

/// In place of QTEST_GUILESS_MAIN. `NAME` is that of the CTest entry: the program runs this class
/// as
///   unit_plan plan_render [function[:row]] [options of Qt Test]
#define SLIPWAY_TEST(CLASS, NAME) SLIPWAY_TEST_ON(QCoreApplication, CLASS, NAME)

/// In place of QTEST_MAIN, for tests that need a QApplication; include <QApplication> as well.
#define SLIPWAY_GUI_TEST(CLASS, NAME) SLIPWAY_TEST_ON(QApplication, CLASS, NAME)

#define SLIPWAY_TEST_ON(APPLICATION, CLASS, NAME)                                                  \
    static const slipway::testing::TestEntry entryOf_##NAME(#NAME, [](int argc, char** argv) {     \
        QCoreApplication::setAttribute(Qt::AA_Use96Dpi, true);                                     \
        APPLICATION application(argc, argv);                                                       \
        CLASS test;                                                                                \
        QTEST_SET_MAIN_SOURCE_PATH                                                                 \
        return QTest::qExec(&test, argc, argv);                                                    \
    });
