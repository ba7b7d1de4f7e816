// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/check.h"
#include "remote/probe/child.h"
#include "remote/probe/cuda.h"
#include "remote/probe/nvml.h"

namespace slipway::probe {

void addDriverChecks(std::vector<Check>& checks)
{
    checks.push_back({"driver.cuda", Level::Quick, [](const Settings& settings, const Facts&, const auto& add) {
        const ChildResult result = runInChild(
            [](const ChildPipe& pipe) {
                pipe.stage("opening libcuda.so.1");
                const Cuda cuda;
                pipe.send(Row::ok("driver.cuda", cuda ? cuda.library.path() : cuda.library.error()));
            },
            settings.deadline);
        for (Row& row : result.rows())
            add(row);
    }});
}

} // namespace slipway::probe
