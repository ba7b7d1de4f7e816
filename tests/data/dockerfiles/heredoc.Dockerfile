FROM alpine:3.20
ARG GREETING="hello, world"
RUN <<EOF
set -e
apk add --no-cache python3
cat > /etc/sections <<END
%post
	{{ name }}
Bootstrap: docker
END
EOF
RUN python3 <<'PY' > /etc/answer
print('it\'s', 6 * 7)
PY
RUN <<SCRIPT
#!/usr/bin/env python3
print("a script of its own")
SCRIPT
COPY <<config.ini /etc/app/
[app]
greeting = "$GREETING"
path = \$HOME
config.ini
