// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagecheck.h"

#include "app/images/tagchoice.h"
#include "app/sessions/sessions.h"

#include <QCoroTimer>
#include <QPointer>
#include <QTimer>

namespace slipway {

namespace {

constexpr std::chrono::minutes keptAnswer{10};
constexpr std::chrono::minutes keptError{1}; ///< it may have been pushed, or be in reach again
constexpr qsizetype mostAnswers = 200;
constexpr qsizetype mostNearest = 3;

QString answerKey(const QString& siteId, const ImageReference& image)
{
    return siteId + u'\n' + image.text();
}

ImageAnswer::State stateOfError(const Error& error)
{
    switch (error.kind) {
    case ErrorKind::NotFound:
        return ImageAnswer::State::Missing;
    case ErrorKind::Authentication:
        return ImageAnswer::State::Unauthorized;
    default:
        return ImageAnswer::State::Unreachable;
    }
}

} // namespace

ImageCheck::ImageCheck(ImageInspector* inspector, Sessions* sessions, QObject* parent)
    : QObject(parent)
    , m_inspector(inspector)
    , m_clock([] { return QDateTime::currentDateTimeUtc(); })
{
    // The cluster knows more than its site file, and reaches registries that this computer cannot.
    connect(sessions, &Sessions::connected, this, &ImageCheck::forgetSite);
}

bool ImageCheck::isFresh(const ImageAnswer& answer) const
{
    if (answer.state == ImageAnswer::State::Asking)
        return true;
    const auto kept = answer.state == ImageAnswer::State::Exists ? keptAnswer : keptError;
    const qint64 age = answer.asked.msecsTo(m_clock());
    return age >= 0 && age < std::chrono::milliseconds(kept).count();
}

ImageAnswer ImageCheck::answer(const QString& siteId, const ImageReference& image) const
{
    const auto known = m_answers.constFind(answerKey(siteId, image));
    if (known != m_answers.cend() && isFresh(*known))
        return *known;
    ImageAnswer none;
    none.siteId = siteId;
    none.image = image;
    if (image.scheme != u"docker") // a file, or a source that no registry of containers knows
        none.state = ImageAnswer::State::File;
    return none;
}

QString ImageCheck::digest(const QString& siteId, const ImageReference& image) const
{
    return image.digest.isEmpty() ? answer(siteId, image).digest() : image.digest;
}

void ImageCheck::ask(const QString& siteId, const ImageReference& image)
{
    ImageAnswer asking = answer(siteId, image);
    if (!m_enabled || asking.state != ImageAnswer::State::Unasked)
        return;
    if (m_answers.size() >= mostAnswers)
        m_answers.removeIf([this](const auto& one) { return !isFresh(one.value()); });
    asking.state = ImageAnswer::State::Asking;
    note(answerKey(siteId, image), asking);
    question(siteId, image);
}

QCoro::Task<void> ImageCheck::question(QString siteId, ImageReference image)
{
    const QPointer<ImageCheck> self(this);
    const QPointer<ImageInspector> inspector(m_inspector);
    const QString key = answerKey(siteId, image);
    const int connection = m_connections.value(siteId);
    ImageAnswer answer;
    answer.siteId = siteId;
    answer.image = image;
    const auto found = co_await inspector->inspect(siteId, image);
    if (found.ok()) {
        answer.state = ImageAnswer::State::Exists;
        answer.inspection = *found;
    } else {
        answer.state = stateOfError(found.error());
        answer.why = found.error().summary;
        if (answer.state == ImageAnswer::State::Unauthorized)
            answer.why = QString(answer.why + u' ' + found.error().remedy).trimmed();
    }
    if (answer.state == ImageAnswer::State::Missing && image.digest.isEmpty() && inspector) {
        const auto list = co_await inspector->tags(siteId, image);
        if (list.ok())
            answer.nearest = nearestTags(list->tags, image.tag, mostNearest);
    }
    if (answer.inspection) {
        answer.keptSince = answer.inspection->keptSince;
    } else if (inspector) {
        const QString since = co_await inspector->keptSince(siteId, image);
        answer.keptSince = since;
    }
    if (!self || connection != self->m_connections.value(siteId))
        co_return;
    answer.asked = self->m_clock();
    self->note(key, answer);
}

void ImageCheck::note(const QString& key, ImageAnswer answer)
{
    const QString siteId = answer.siteId;
    m_answers.insert(key, std::move(answer));
    emit changed(siteId);
}

QCoro::Task<ImageAnswer> ImageCheck::asked(
    QString siteId, ImageReference image, std::chrono::milliseconds atMost)
{
    const QPointer<ImageCheck> self(this);
    ask(siteId, image);
    QTimer timer;
    timer.setSingleShot(true);
    timer.start(atMost);
    // One signal for both, because an awaited signal with a timeout may resume twice.
    const auto isAnswered = [this, &siteId, &image] {
        return answer(siteId, image).state != ImageAnswer::State::Asking;
    };
    connect(this, &ImageCheck::changed, &timer, [&timer, isAnswered] {
        if (timer.isActive() && isAnswered())
            timer.start(0);
    });
    if (!isAnswered())
        co_await timer;
    ImageAnswer known;
    if (self)
        known = self->answer(siteId, image);
    co_return known;
}

void ImageCheck::forgetSite(const QString& siteId)
{
    ++m_connections[siteId];
    m_answers.removeIf([&siteId](const auto& one) { return one.value().siteId == siteId; });
    emit changed(siteId);
}

} // namespace slipway

#include "moc_imagecheck.cpp"
