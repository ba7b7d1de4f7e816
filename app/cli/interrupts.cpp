// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/interrupts.h"

#include <QSocketNotifier>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace slipway {

namespace {

int pipeEnds[2] = {-1, -1};
volatile std::sig_atomic_t caught = 0;

void onSignal(int)
{
    // A second Ctrl-C ends the program at once: the first one may wait for a server that does not
    // respond.
    if (caught)
        _exit(130);
    caught = 1;
    const char byte = 0;
    [[maybe_unused]] const auto written = ::write(pipeEnds[1], &byte, 1);
}

} // namespace

Interrupts::Interrupts(QObject* parent)
    : QObject(parent)
{
    if (pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    auto* notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &Interrupts::read);
    struct sigaction action = {};
    action.sa_handler =
        onSignal; // without SA_RESTART: a prompt that waits for a line is interrupted
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

Interrupts::~Interrupts()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

bool Interrupts::pending()
{
    return caught != 0;
}

void Interrupts::read()
{
    char bytes[16];
    while (::read(pipeEnds[0], bytes, sizeof bytes) > 0) { }
    emit interrupted();
}

} // namespace slipway

#include "moc_interrupts.cpp"
