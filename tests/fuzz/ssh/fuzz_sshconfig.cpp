// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/knownhosts.h"
#include "remote/ssh/sshconfig.h"
#include "tests/fuzz/target.h"

#include <QTemporaryFile>

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(sshconfig)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const ResolvedTarget target = parseSshConfig(input, QStringLiteral("/home/me"));
    (void)target.displayName();
    const auto lineEnd = input.indexOf('\n');
    (void)knownHostMatches(input.left(lineEnd), "[login.example]:2222");
    static QTemporaryFile file;
    if (!file.isOpen() && !file.open())
        std::abort();
    file.resize(0);
    file.seek(0);
    file.write(input);
    file.flush();
    const KnownHosts known({file.fileName()}, QStringLiteral("login.example"), 22);
    (void)known.types();
    if (known.judge({"ssh-ed25519", "AAAA"}).line > input.count('\n') + 1)
        std::abort();
    return 0;
}
