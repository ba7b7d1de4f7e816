// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QMap>
#include <QObject>
#include <QString>
#include <QTcpServer>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QTcpSocket;

namespace slipway {

struct FakeRequest {
    QByteArray method;
    QByteArray path; ///< without the query
    QByteArray query;
    QMap<QByteArray, QByteArray> headers; ///< names in lower case
};

struct FakeAnswer {
    enum class End {
        Whole,
        Cut, ///< announces all, sends half and closes
        Endless, ///< zeroes without a length, as long as somebody reads
        Silent, ///< nothing at all
    };
    int status = 200;
    QByteArray body = {};
    QByteArray type = "application/json";
    std::vector<std::pair<QByteArray, QByteArray>> headers = {};
    End end = End::Whole;
};

/// FakeRegistry is a small real server of HTTP on the loopback that answers as a registry does and
/// notes what it was asked. Scripted answers come before what it holds. Lives on the thread of the
/// test.
class FakeRegistry : public QObject {
    Q_OBJECT

public:
    FakeRegistry();
    ~FakeRegistry() override;

    QString name() const; ///< "127.0.0.1:41234"
    QByteArray url(const QByteArray& path) const;

    /// Keeps a manifest or index under `tag` (if there is one) and its digest, which it returns.
    QByteArray addManifest(const QByteArray& repository, const QByteArray& tag,
        const QByteArray& json, const QByteArray& type);
    QByteArray addBlob(const QByteArray& repository, const QByteArray& bytes);
    /// Configuration and manifest of an image with two layers, as docker pushes it.
    QByteArray addImage(const QByteArray& repository, const QByteArray& tag,
        const QByteArray& architecture = "amd64");
    /// An index of images that addImage() made: architectures and digests. With an attestation.
    QByteArray addIndex(const QByteArray& repository, const QByteArray& tag,
        const std::vector<std::pair<QByteArray, QByteArray>>& images);

    /// What a path answers, whoever asks.
    void script(const QByteArray& path, FakeAnswer answer) { m_scripted[path] = std::move(answer); }
    void redirect(const QByteArray& path, const QByteArray& target);
    /// Nothing without a token of its own token server; that one wants a login if one is named.
    void wantToken(std::optional<QByteArray> login = {});
    /// Nothing without this login ("user:secret"), as a registry with htpasswd.
    void wantBasic(const QByteArray& login) { m_basic = login; }
    void setRealm(const QByteArray& realm) { m_realm = realm; }

    const std::vector<FakeRequest>& requests() const { return m_requests; }
    QByteArray token() const { return "a-token-of-this-registry"; }

private:
    void accept();
    void read(QTcpSocket* socket);
    void send(QTcpSocket* socket, const FakeRequest& request, const FakeAnswer& answer);
    FakeAnswer answerTo(const FakeRequest& request) const;
    FakeAnswer tokenFor(const FakeRequest& request) const;
    std::optional<FakeAnswer> challengeFor(const FakeRequest& request) const;

    QTcpServer m_server;
    QMap<QByteArray, FakeAnswer> m_scripted;
    QMap<QByteArray, FakeAnswer> m_held;
    std::optional<QByteArray> m_basic;
    std::optional<QByteArray> m_login;
    bool m_wantsToken = false;
    QByteArray m_realm;
    std::vector<FakeRequest> m_requests;
};

} // namespace slipway
