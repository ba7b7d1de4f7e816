// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/ownhostpage.h"

#include "ui/parts/announce.h"
#include "ui/parts/text.h"

#include <QLineEdit>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QLineEdit* addField(QVBoxLayout* layout, const QString& name, const char* objectName)
{
    auto* edit = new QLineEdit;
    edit->setObjectName(QLatin1StringView(objectName));
    edit->setAccessibleName(name);
    auto* label = new TextLabel(name);
    label->setBuddy(edit);
    layout->addWidget(label);
    layout->addWidget(edit);
    return edit;
}

} // namespace

OwnHostPage::OwnHostPage(QWidget* parent)
    : QWidget(parent)
    , m_problemLabel(TextLabel::paragraph({}))
    , m_action(makeButton(tr("Connect and look"), ButtonKind::Primary, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(new TextLabel(tr("Add your own cluster"), "title"));
    layout->addWidget(TextLabel::paragraph(
        tr("Slipway logs in, finds out what the cluster offers, and saves it in a site file. "
           "Nothing is changed on the cluster, and no job is submitted."),
        "second"));
    layout->addSpacing(8);
    m_host = addField(layout, tr("Login node"), "clusterHost");
    m_host->setPlaceholderText(tr("login.example.org, or a host alias from ~/.ssh/config"));
    m_user = addField(layout, tr("User name"), "clusterUser");
    const QString here = qEnvironmentVariable("USER");
    m_user->setPlaceholderText(
        here.isEmpty() ? tr("from ~/.ssh/config") : tr("from ~/.ssh/config, or %1").arg(here));
    m_port = addField(layout, tr("Port"), "clusterPort");
    m_port->setPlaceholderText(tr("from ~/.ssh/config, or 22"));
    m_problemLabel->setObjectName(u"hostProblem"_s);
    m_problemLabel->setTint(Tint::Error);
    m_problemLabel->hide();
    layout->addWidget(m_problemLabel);
    layout->addStretch();
    m_action->setObjectName(u"findOut"_s);
    setFocusProxy(m_host);
    connect(m_action, &QPushButton::clicked, this, &OwnHostPage::choose);
    for (QLineEdit* edit : {m_host, m_user, m_port}) {
        connect(edit, &QLineEdit::returnPressed, this, &OwnHostPage::choose);
    }
}

void OwnHostPage::choose()
{
    const QString host = m_host->text().trimmed();
    const QString portText = m_port->text().trimmed();
    bool number = false;
    const int port = portText.toInt(&number);
    QString problem;
    QLineEdit* wrong = nullptr;
    if (host.isEmpty() || host.startsWith(u'-') || host.contains(u' ')) {
        problem = tr("Enter the name of a login node.");
        wrong = m_host;
    } else if (!portText.isEmpty() && (!number || port < 1 || port > 65535)) {
        problem = tr("The port must be a number from 1 to 65535.");
        wrong = m_port;
    }
    m_problemLabel->setText(problem);
    m_problemLabel->setVisible(wrong);
    if (wrong) {
        announce(m_problemLabel, problem);
        wrong->setFocus();
        wrong->selectAll();
        return;
    }
    emit chosen(host, m_user->text().trimmed(), port);
}

} // namespace slipway

#include "moc_ownhostpage.cpp"
