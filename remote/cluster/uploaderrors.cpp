// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/uploaderrors.h"

#include "remote/base/tr.h"
#include "remote/cluster/uploadscripts.h"

namespace slipway {

namespace {

Error uploadFailure(const UploadEnds& ends, const CommandOutput& output)
{
    const QString name = ends.remotePath;
    switch (output.exitCode) {
    case DamagedExit:
        return {ErrorKind::Io,
            tr("%1 was damaged on the way to %2, and discarded there.").arg(name, ends.where),
            tr("Upload it again."), output.err};
    case BusyExit:
        return {ErrorKind::Refused,
            tr("Another upload to %1 on %2 is under way.").arg(name, ends.where),
            tr("Wait until it has ended, or choose another name."), output.err};
    case UnsafeExit:
        return {ErrorKind::Refused,
            tr("%1 on %2 is a link or a folder, and was not written.").arg(name, ends.where),
            tr("Remove it, or choose another name."), output.err};
    default:
        break;
    }
    const QString remedy =
        tr("What has arrived is kept in %1.part. Free some space there and upload "
           "again: it continues. Or remove that file.")
            .arg(name);
    if (output.err.contains("No space left") || output.err.contains("File too large"))
        return {ErrorKind::DiskFull,
            tr("%1 could not be uploaded: the disk of %2 is full.").arg(name, ends.where), remedy,
            output.err};
    if (output.err.contains("uota exceeded"))
        return {ErrorKind::DiskFull,
            tr("%1 could not be uploaded: your disk quota on %2 is used up.").arg(name, ends.where),
            remedy, output.err};
    return {ErrorKind::Io, tr("%1 could not be uploaded to %2.").arg(name, ends.where),
        tr("Try again: what has arrived is kept."), output.err};
}

} // namespace

Error uploadCancelled()
{
    return {ErrorKind::Cancelled, tr("Cancelled by you.")};
}

Error uploadSourceChanged(const UploadEnds& ends)
{
    return {ErrorKind::Io,
        tr("%1 has changed while it was uploaded, so the upload was ended.").arg(ends.localPath),
        tr("Wait until the file is complete, and upload it again.")};
}

Error uploadUnclear(const UploadEnds& ends, const QByteArray& said)
{
    return {ErrorKind::Protocol, tr("%1 did not answer the upload as expected.").arg(ends.where),
        tr("Try again: what has arrived is kept."), said.left(1000)};
}

Error uploadEnded(const UploadEnds& ends, const Result<CommandOutput>& end)
{
    if (end.ok())
        return end->exitCode == 0 ? uploadUnclear(ends, end->err) : uploadFailure(ends, *end);
    Error error = end.error();
    if (error.kind == ErrorKind::LinkLost)
        error.remedy =
            tr("Connect again and repeat the upload: it continues with what is missing.");
    return error;
}

} // namespace slipway
