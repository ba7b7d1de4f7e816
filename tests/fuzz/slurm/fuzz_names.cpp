// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/hostlist.h"
#include "remote/slurm/jobspec.h"
#include "remote/slurm/jobstates.h"
#include "remote/slurm/outputname.h"

#include <cstdlib>

using namespace slipway;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const auto input =
        QByteArray::fromRawData(reinterpret_cast<const char*>(data), qsizetype(size));
    const QString text = QString::fromUtf8(input);
    const auto hosts = expandHostlist(text);
    const auto count = countHostlist(text);
    if (hosts.ok() && (!count.ok() || *count != hosts->size()))
        std::abort();
    if (!isLegalJobName(legalJobName(text)) || (hosts.ok() && hosts->size() > 65'536))
        std::abort();
    Job job;
    job.id.text = QStringLiteral("42_7");
    expandedOutput(text, job);
    jobState(text);
    return 0;
}
