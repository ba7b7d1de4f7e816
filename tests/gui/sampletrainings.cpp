// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sampletrainings.h"

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QByteArray trainingLog(int batch, int steps)
{
    QByteArray log;
    const auto say = [&log](
                         const char* series, const char* xName, int x, double y, const char* unit) {
        log += QByteArray(R"(@slipway {"sample":")") + series + R"(","x_name":")" + xName
            + R"(","x":)" + QByteArray::number(x) + R"(,"y":)" + QByteArray::number(y)
            + R"(,"unit":")" + unit + "\"}\n";
    };
    for (int step = 1; step <= steps; ++step) {
        say("train_loss", "step", step, 64.0 / batch / step, "");
        say("valid_loss", "step", step, 65.0 / batch / step, "");
        say("epoch_seconds", "epoch", step, 2, "s");
    }
    return log;
}

} // namespace

void addTrainings(Rig& rig, const QList<int>& batches, const QString& sweep, int steps)
{
    for (const int batch : batches) {
        Run run = Rig::sampleRun(u"batch%1"_s.arg(batch), RunPhase::Done);
        run.spec.recipeId = u"train-digits"_s;
        run.title = u"Train and report"_s;
        run.imageDigest = u"sha256:"_s % QString::number(batch).repeated(32);
        run.spec.sweep = sweep;
        run.spec.sweepLabel = sweep.isEmpty() ? QString() : u"batch %1"_s.arg(batch);
        rig.addRun(run, trainingLog(batch, steps));
        rig.setFacts(run.id,
            R"({"site":"Demo cluster","image":"docker://login:5000/demo/pytorch:2.6",)"
            R"("values":{"epochs":"4","batch":")"
                + QByteArray::number(batch) + "\"}}");
    }
}

} // namespace slipway
