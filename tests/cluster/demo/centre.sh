#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# As root on the login node of the demo cluster: "start" makes two sshds beside the one that is there, "stop" ends them
# and leaves nothing.
#   gate, port 2222   asks for a password and a code, as the demo cluster does when it emulates such a site
#   node, port 2223   a login node whose calls to the scheduler are noted in $place/calls: a program first on its PATH
#                     notes each and then makes it
set -e
place=/run/slipway-centre # of this node alone
for pid in "$place"/*.pid; do
    [ ! -e "$pid" ] || kill "$(cat "$pid")" || :
done
rm -rf "$place" /etc/pam.d/slipway-centre
[ "$1" = start ] || exit 0

umask 022
mkdir -p "$place/bin"
: >"$place/calls"
chmod 666 "$place/calls"
for name in squeue sacct sinfo scontrol sbatch scancel salloc sprio sshare sacctmgr; do
    cat >"$place/bin/$name" <<TEXT
#!/bin/sh
case \$1 in --version) ;; *) echo "\$(date +%s.%N) $name \$1 \$2" | head -n 1 >>$place/calls ;; esac
exec /usr/bin/$name "\$@"
TEXT
done
chmod 755 "$place"/bin/*
sed 's/authtok_prompt=[^]]*/authtok_prompt=Passcode: /' /etc/pam.d/slipway-token >/etc/pam.d/slipway-centre
cat >"$place/gate" <<TEXT
Port 2222
PidFile $place/gate.pid
UsePAM yes
PAMServiceName slipway-centre
PubkeyAuthentication no
KbdInteractiveAuthentication yes
AuthenticationMethods keyboard-interactive:pam
TEXT
cat >"$place/node" <<TEXT
Port 2223
PidFile $place/node.pid
UsePAM no
KbdInteractiveAuthentication no
SetEnv PATH=$place/bin:/usr/local/bin:/usr/bin:/bin
TEXT
for server in gate node; do
    cat >>"$place/$server" <<TEXT
ListenAddress 127.0.0.1
HostKey /run/slipway/ssh/host_ed25519
PasswordAuthentication no
AllowUsers demo
UseDNS no
LogLevel VERBOSE
PerSourcePenalties no
TEXT
    /usr/sbin/sshd -f "$place/$server" -E "$place/$server.log"
done
