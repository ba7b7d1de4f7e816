// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/arraytasks.h"

namespace slipway {

namespace {

const QString& arrayEnding()
{
    static const QString ending = QStringLiteral("-array");
    return ending;
}

} // namespace

QString arrayTag(const QString& uuid)
{
    return uuid + arrayEnding();
}

bool isArrayTag(const QString& tag)
{
    return tag.endsWith(arrayEnding());
}

QString taskTag(const QString& arrayTag, int task)
{
    return arrayTag + u'-' + QString::number(task);
}

QString arrayTagOf(const QString& taskTag)
{
    return taskTag.left(taskTag.lastIndexOf(u'-'));
}

JobId arrayOf(const JobId& job)
{
    return {job.text.section(u'_', 0, 0)};
}

int taskOf(const JobId& job)
{
    bool isNumber = false;
    const int task = job.text.section(u'_', 1).toInt(&isNumber);
    return isNumber && task >= 0 ? task : -1;
}

JobId taskId(const JobId& array, int task)
{
    return {array.text + u'_' + QString::number(task)};
}

} // namespace slipway
