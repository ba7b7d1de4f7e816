FROM debian:12
MAINTAINER The HPC group <hpc@example.org>
ARG OMPI=4.1.6
ARG PREFIX=/opt/openmpi
ENV DEBIAN_FRONTEND noninteractive
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      build-essential ca-certificates \
      # the fabric
      libfabric-dev libpmix-dev \
 && rm -rf /var/lib/apt/lists/*
ADD https://download.open-mpi.org/release/open-mpi/v4.1/openmpi-${OMPI}.tar.gz /tmp/
RUN cd /tmp && tar xf openmpi-$OMPI.tar.gz && cd openmpi-$OMPI && \
    ./configure --prefix=$PREFIX --with-pmix && make -j"$(nproc)" install
ENV PATH=$PREFIX/bin:$PATH \
    LD_LIBRARY_PATH=$PREFIX/lib
RUN for tool in mpicc mpirun; do command -v "$tool"; done
VOLUME /data
