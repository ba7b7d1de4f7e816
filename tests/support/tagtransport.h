// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/registry/registrytransport.h"
#include "remote/shell/gate.h"

#include <QCryptographicHash>
#include <QStringList>

namespace slipway {

inline QByteArray sumOfText(const QByteArray& bytes)
{
    return "sha256:" + QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

/// TagTransport is a registry in memory, in which every repository has the tags of `cuda`, each
/// with its CUDA. A repository with “slow” in its name answers after release(). The test owns it
/// together with the inspector.
class TagTransport : public RegistryTransport {
public:
    QString place() const override { return QStringLiteral("this computer"); }
    QCoro::Task<Result<RegistryAnswer>> ask(RegistryRequest request) override
    {
        asked << request.url.path();
        if (request.url.path().contains(u"slow") && !m_released)
            co_await m_gate.wait();
        if (error) {
            const Error reason = *error;
            co_return reason;
        }
        RegistryAnswer answer = answerTo(request.url.path());
        co_return answer;
    }
    void release()
    {
        m_released = true;
        m_gate.open();
    }
    QByteArray digestOf(const QString& tag) const { return sumOfText(manifest(tag)); }

    QMap<QString, QByteArray> cuda; ///< by tag
    std::optional<Error> error;
    QStringList asked;

private:
    QByteArray config(const QString& tag) const
    {
        return R"({"architecture":"amd64","os":"linux","config":{"Env":["CUDA_VERSION=)"
            + cuda.value(tag) + R"("]},"rootfs":{"type":"layers","diff_ids":[")"
            + sumOfText("layer") + R"("]}})";
    }
    QByteArray manifest(const QString& tag) const
    {
        const QByteArray kind = "application/vnd.oci.image.";
        const QByteArray made = config(tag);
        return R"({"schemaVersion":2,"mediaType":")" + kind
            + R"(manifest.v1+json","config":{"mediaType":")" + kind
            + R"(config.v1+json","digest":")" + sumOfText(made) + R"(","size":)"
            + QByteArray::number(made.size()) + R"(},"layers":[{"mediaType":")" + kind
            + R"(layer.v1.tar+gzip","digest":")" + sumOfText("layer") + R"(","size":3145728}]})";
    }
    RegistryAnswer answerTo(const QString& path) const
    {
        RegistryAnswer answer;
        answer.status = 200;
        answer.headers["content-type"] = "application/json";
        const QString name = path.section(u'/', -1);
        if (path.contains(u"/manifests/") && cuda.contains(name)) {
            answer.body = manifest(name);
            answer.headers["content-type"] = "application/vnd.oci.image.manifest.v1+json";
            return answer;
        }
        if (path.endsWith(u"/tags/list")) {
            answer.body = R"({"name":"x","tags":[")"
                + cuda.keys().join(QStringLiteral("\",\"")).toUtf8() + "\"]}";
            return answer;
        }
        for (const QString& tag : cuda.keys()) {
            if (path.contains(u"/blobs/") && name.toLatin1() == sumOfText(config(tag))) {
                answer.body = config(tag);
                return answer;
            }
        }
        answer.status = 404;
        answer.body = R"({"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]})";
        return answer;
    }

    bool m_released = false;
    Gate m_gate;
};

} // namespace slipway
