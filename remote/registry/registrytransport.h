// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QCoroTask>

#include <QByteArray>
#include <QMap>
#include <QUrl>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace slipway {

/// One GET or HEAD of a registry's API. A value.
struct RegistryRequest {
    QUrl url;
    std::vector<std::pair<QByteArray, QByteArray>> headers;
    bool headOnly = false;
    qint64 mostBytes = 0; ///< of the body: more is an error
    std::chrono::milliseconds mostTime{20'000}; ///< until the last byte
};

/// Why a request is not sent: an address that is not http(s), or a header that would be two.
std::optional<Error> requestProblem(const RegistryRequest& request);
/// The error of a body that is larger than the request allows.
Error tooLongAnswer(const RegistryRequest& request);
/// The error of an answer that did not end in time.
Error lateAnswer(const RegistryRequest& request, const QString& place);

struct RegistryAnswer {
    int status = 0; ///< of HTTP
    QMap<QByteArray, QByteArray> headers; ///< names in lower case
    QByteArray body;
};

/// RegistryTransport asks a registry, from this computer or from a cluster. It follows no redirect,
/// keeps no cookie and sends nothing by itself: the RegistryClient decides who may see a token.
class RegistryTransport {
public:
    virtual ~RegistryTransport() = default;

    /// Where the question comes from, for a person: "this computer", "login1".
    virtual QString place() const = 0;
    /// Any HTTP status is an answer; an error is a registry that could not be reached, did not
    /// answer in time (Timeout) or sent more than `mostBytes` (Invalid).
    virtual QCoro::Task<Result<RegistryAnswer>> ask(RegistryRequest request) = 0;
};

} // namespace slipway
