FROM gcc:13 AS build
WORKDIR /src
COPY Makefile main.c ./
RUN make CFLAGS="-O2 -march=x86-64-v3"

FROM debian:bookworm-slim AS docs
RUN apt-get update && apt-get install -y man-db

FROM debian:bookworm-slim
RUN apt-get update && \
    apt-get install -y --no-install-recommends libgomp1 && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /src/pi /usr/local/bin/pi
CMD pi 1000000
