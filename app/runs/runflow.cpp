// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runflow.h"

#include "remote/base/tr.h"

namespace slipway {

bool RunFlow::mayPass(const Error& error) const
{
    switch (error.kind) {
    case ErrorKind::Timeout:
    case ErrorKind::Protocol:
    case ErrorKind::Network:
    case ErrorKind::Unknown:
        return true;
    case ErrorKind::LinkLost: // of one channel, while the connection is intact
        return cluster->shell()->linkState() != LinkState::Down;
    default:
        return false;
    }
}

bool RunFlow::isRefusal(const Error& error) const
{
    switch (error.kind) {
    case ErrorKind::Refused:
    case ErrorKind::Unsupported:
    case ErrorKind::Invalid:
    case ErrorKind::DiskFull:
    case ErrorKind::Io:
        return true;
    default:
        return false;
    }
}

Error connectionGone()
{
    return Error{ErrorKind::LinkLost, tr("The connection was lost.")};
}

} // namespace slipway
