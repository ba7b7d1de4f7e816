// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

namespace slipway {

namespace {

/// Reads the banner with which the images of NVIDIA's catalogue begin: which image and release it
/// is ("container"), and the version of its framework ("library"). Only near its title: a version
/// elsewhere belongs to something else.
class NgcRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {"="}; }
    bool isOpen() const override { return m_until > 0; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress || line.text.size() > 200)
            return false;
        const std::string_view text = trimmed(line.text);
        if (text.starts_with("== "))
            return readTitle(text, line);
        if (line.number > m_until)
            m_until = 0;
        if (m_until == 0 || text.empty())
            return false;
        if (text.starts_with("NVIDIA Release "))
            return readRelease(text, line, sink);
        return readVersion(text, line, sink);
    }

private:
    /// "== PyTorch =="
    bool readTitle(std::string_view text, const LogLine& line)
    {
        if (!text.ends_with(" ==") || text.size() < 7)
            return false;
        const std::string_view title = trimmed(text.substr(3, text.size() - 6));
        if (title.empty() || title.find('=') != std::string_view::npos)
            return false;
        m_title = labelText(title);
        m_until = line.number + bannerLines;
        return true;
    }

    /// "NVIDIA Release 25.01 (build 134983853)"
    bool readRelease(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        std::string_view rest = text.substr(15);
        const std::string_view release = rest.substr(0, rest.find(' '));
        rest.remove_prefix(release.size());
        if (release.empty() || !isDigit(release[0]))
            return false;
        QMap<QString, QString> values{
            {QStringLiteral("name"), m_title}, {QStringLiteral("release"), labelText(release)}};
        if (skip(rest, " (build ") && rest.ends_with(')'))
            values.insert(QStringLiteral("build"), labelText(rest.substr(0, rest.size() - 1)));
        sink.add(MetricEvent{QStringLiteral("container"),
            m_title + QStringLiteral(", ") + labelText(text), std::move(values), line.number});
        return true;
    }

    /// "PyTorch Version 2.6.0a0+ecf3bae", "CUDA Version 12.4.1"
    static bool readVersion(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        const size_t at = text.find(" Version ");
        if (at == std::string_view::npos || at > 40)
            return false;
        const std::string_view version = text.substr(at + 9);
        if (version.empty() || !isDigit(version[0]) || version.find(' ') != std::string_view::npos)
            return false;
        const QString name = labelText(text.substr(0, at));
        sink.add(MetricEvent{QStringLiteral("library"), name + u' ' + labelText(version),
            {{QStringLiteral("name"), name}, {QStringLiteral("version"), labelText(version)}},
            line.number});
        return true;
    }

    static constexpr qint64 bannerLines = 10;
    QString m_title;
    qint64 m_until = 0; ///< the last line that may belong to the banner
};

} // namespace

std::unique_ptr<Recogniser> makeNgcRecogniser()
{
    return std::make_unique<NgcRecogniser>();
}

} // namespace slipway
