FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS base
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update && apt-get install -y freeglut3-dev libgl1-mesa-dev

FROM base AS build
ADD https://github.com/NVIDIA/cuda-samples/archive/refs/tags/v12.4.1.tar.gz /root/
WORKDIR /root
RUN tar xzf v12.4.1.tar.gz
WORKDIR cuda-samples-12.4.1/Samples/5_Domain_Specific/nbody
RUN make SMS="80 90"

FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04
RUN apt-get update && apt-get install -y freeglut3 && rm -rf /var/lib/apt/lists/*
COPY --from=build /root/cuda-samples-12.4.1/Samples/5_Domain_Specific/nbody/nbody /usr/local/bin/
ENTRYPOINT ["/usr/local/bin/nbody"]
