// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/patternspec.h"
#include "plots/metrics/recogniser.h"

namespace slipway {

// One function per family, each in its own file. To add a family: write the file, declare its
// factory here, and add its row in recognisers.cpp.
std::unique_ptr<Recogniser> makeSlipwayRecogniser();
std::unique_ptr<Recogniser> makeMatmulTableRecogniser();
std::unique_ptr<Recogniser> makeTorchDdpRecogniser();
std::unique_ptr<Recogniser> makeReportRecogniser();
std::unique_ptr<Recogniser> makeNcclTestsRecogniser();
std::unique_ptr<Recogniser> makeMLLogRecogniser();
std::unique_ptr<Recogniser> makeNvbandwidthRecogniser();
std::unique_ptr<Recogniser> makeNvbenchRecogniser();
std::unique_ptr<Recogniser> makeMicrobenchmarkRecogniser();
std::unique_ptr<Recogniser> makeJmhRecogniser();
std::unique_ptr<Recogniser> makeLlamaCppRecogniser();
std::unique_ptr<Recogniser> makeNbodyRecogniser();
std::unique_ptr<Recogniser> makePiRecogniser();
std::unique_ptr<Recogniser> makeIbrunRecogniser();
std::unique_ptr<Recogniser> makePtBenchRecogniser();
std::unique_ptr<Recogniser> makeNvidiaSmiRecogniser();
std::unique_ptr<Recogniser> makeNvidiaCsvRecogniser();
std::unique_ptr<Recogniser> makeSystemMonitorRecogniser();
std::unique_ptr<Recogniser> makeTopRecogniser();
std::unique_ptr<Recogniser> makeGpuBurnRecogniser();
std::unique_ptr<Recogniser> makeIperfRecogniser();
std::unique_ptr<Recogniser> makeCocoRecogniser();
std::unique_ptr<Recogniser> makeBranchAndBoundRecogniser();
std::unique_ptr<Recogniser> makeConvergenceRecogniser();
std::unique_ptr<Recogniser> makeRecordRecogniser();
std::unique_ptr<Recogniser> makeFioRecogniser();
std::unique_ptr<Recogniser> makeDeviceQueryRecogniser();
std::unique_ptr<Recogniser> makeTensorflowRecogniser();
std::unique_ptr<Recogniser> makeDLLoggerRecogniser();
std::unique_ptr<Recogniser> makeJacobiRecogniser();
std::unique_ptr<Recogniser> makeKerasRecogniser();
std::unique_ptr<Recogniser> makeHFTrainerRecogniser();
std::unique_ptr<Recogniser> makeHistoryRecogniser();
std::unique_ptr<Recogniser> makeTqdmRecogniser();
std::unique_ptr<Recogniser> makeTimingRecogniser();
std::unique_ptr<Recogniser> makeCrossTableRecogniser();
std::unique_ptr<Recogniser> makeValueTableRecogniser();
std::unique_ptr<Recogniser> makeLightningRecogniser();
std::unique_ptr<Recogniser> makeApptainerRecogniser();
std::unique_ptr<Recogniser> makeEnrootRecogniser();
std::unique_ptr<Recogniser> makeNgcRecogniser();
std::unique_ptr<Recogniser> makeSlurmRecogniser();
std::unique_ptr<Recogniser> makeScalingRecogniser();
std::unique_ptr<Recogniser> makeEpochsRecogniser();
std::unique_ptr<Recogniser> makeNameValueRecogniser();

/// The recogniser of a recipe's own pattern; null when the pattern is invalid.
std::unique_ptr<Recogniser> makePatternRecogniser(const PatternSpec& spec);

} // namespace slipway
