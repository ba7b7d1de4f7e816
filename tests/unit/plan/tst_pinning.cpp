// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/makeplan.h"
#include "app/plan/pinning.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

#include <algorithm>

using namespace slipway;

/// The field “pin”: the script names the image by its digest, and nothing changes without it.
class TestPinning : public QObject {
    Q_OBJECT

private slots:
    void field_isThereForRecipesWithAnImage();
    void withoutPin_theScriptIsTheSame();
    void pinned_isNamedByItsDigest();
    void unknownDigest_isAnError();
    void otherDigest_isNotTaken();
    void fileAndDigest_needNothing_data();
    void fileAndDigest_needNothing();
    void sameImage_isPinnedAgain();
    void sameImage_needsADigest();
};

namespace {

const QString demoImage = QStringLiteral("docker://login:5000/demo/python:3.13");
const QString demoDigest = QStringLiteral("sha256:0123456789ab") + QString(52, u'c');

LaunchSpec pinSpec(const QString& pin, const QString& image = demoImage)
{
    LaunchSpec spec;
    spec.values = {
        {QStringLiteral("image"), image}, {QStringLiteral("command"), QStringLiteral("true")}};
    if (!pin.isEmpty())
        spec.values.insert(QStringLiteral("pin"), pin);
    return spec;
}

Plan pinPlan(const LaunchSpec& spec)
{
    return makePlan(spec, builtInRecipe("run-a-command"), builtInSite("demo"), {});
}

bool hasPinError(const Plan& plan)
{
    return std::any_of(plan.problems.begin(), plan.problems.end(), [](const Problem& one) {
        return one.field == u"pin" && one.severity == Problem::Severity::Error
            && one.fixValue == QStringLiteral("false");
    });
}

} // namespace

void TestPinning::field_isThereForRecipesWithAnImage()
{
    const auto field = pinField(builtInRecipe("run-a-command"));
    QVERIFY(field);
    QVERIFY(field->advanced);
    QCOMPARE(pinPlan(pinSpec({})).values.value(QStringLiteral("pin")), QStringLiteral("false"));
    Recipe without = builtInRecipe("run-a-command");
    without.parameters.clear();
    QVERIFY(!pinField(without));
}

void TestPinning::withoutPin_theScriptIsTheSame()
{
    const QByteArray script = renderScript(pinPlan(pinSpec({})));
    LaunchSpec known = pinSpec(QStringLiteral("false"));
    known.pins.insert(demoImage, demoDigest);
    QCOMPARE(renderScript(pinPlan(known)), script);
    QVERIFY(script.contains("docker://login:5000/demo/python:3.13"));
    QVERIFY(!script.contains("sha256-"));
}

void TestPinning::pinned_isNamedByItsDigest()
{
    LaunchSpec spec = pinSpec(QStringLiteral("true"));
    spec.pins.insert(demoImage, demoDigest);
    const Plan plan = pinPlan(spec);
    QVERIFY2(!hasPinError(plan), problemsText(plan).constData());
    const QByteArray script = renderScript(plan);
    const QByteArray pinned = "docker://login:5000/demo/python@" + demoDigest.toLatin1();
    QVERIFY2(script.contains(pinned), script.constData());
    QVERIFY(script.contains("python_sha256-0123456789ab.sif"));
    QVERIFY(!script.contains("python:3.13"));
    // The form still shows what the person entered.
    const auto field = std::find_if(plan.fields.begin(), plan.fields.end(),
        [](const Parameter& one) { return one.key == u"image"; });
    QVERIFY(field != plan.fields.end());
    QCOMPARE(field->value, demoImage);
}

void TestPinning::unknownDigest_isAnError()
{
    QVERIFY(hasPinError(pinPlan(pinSpec(QStringLiteral("true")))));
    LaunchSpec spec = pinSpec(QStringLiteral("true"));
    spec.pins.insert(demoImage, QStringLiteral("sha256:$(id)"));
    const Plan plan = pinPlan(spec);
    QVERIFY(hasPinError(plan));
    QVERIFY(!renderScript(plan).contains("$(id)"));
}

void TestPinning::otherDigest_isNotTaken()
{
    LaunchSpec spec = pinSpec(QStringLiteral("true"));
    spec.pins.insert(QStringLiteral("docker://login:5000/demo/python:3.12"), demoDigest);
    QVERIFY(hasPinError(pinPlan(spec)));
}

void TestPinning::fileAndDigest_needNothing_data()
{
    QTest::addColumn<QString>("image");
    QTest::newRow("a file") << QStringLiteral("/scratch/x.sif");
    QTest::newRow("a digest") << QString(u"docker://login:5000/demo/python@" + demoDigest);
}

void TestPinning::fileAndDigest_needNothing()
{
    QFETCH(QString, image);
    const Plan plan = pinPlan(pinSpec(QStringLiteral("true"), image));
    QVERIFY2(!hasPinError(plan), problemsText(plan).constData());
    QVERIFY(renderScript(plan).contains(image.toUtf8()));
}

void TestPinning::sameImage_isPinnedAgain()
{
    const LaunchSpec before = pinSpec({});
    const auto again = withPinnedImage(before, pinPlan(before), demoDigest);
    QVERIFY(again.ok());
    QVERIFY(renderScript(pinPlan(*again)).contains(demoDigest.toLatin1()));
    // An image that has a digest already is the same anyway.
    const LaunchSpec fixed = pinSpec({}, QString(u"docker://login:5000/demo/python@" + demoDigest));
    const auto same = withPinnedImage(fixed, pinPlan(fixed), demoDigest);
    QVERIFY(same.ok());
    QCOMPARE(same->values, fixed.values);
}

void TestPinning::sameImage_needsADigest()
{
    const LaunchSpec before = pinSpec({});
    QVERIFY(!withPinnedImage(before, pinPlan(before), {}).ok());
    const LaunchSpec file = pinSpec({}, QStringLiteral("/scratch/x.sif"));
    QVERIFY(!withPinnedImage(file, pinPlan(file), demoDigest).ok());
}

SLIPWAY_TEST(TestPinning, plan_pinning)
#include "tst_pinning.moc"
