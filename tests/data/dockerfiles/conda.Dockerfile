FROM mambaorg/micromamba:1.5
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
COPY --chown=$MAMBA_USER:$MAMBA_USER environment.yml /tmp/environment.yml
RUN micromamba install -y -n base -f /tmp/environment.yml && micromamba clean --all --yes
RUN curl -fsSL https://example.org/data.tar.gz | tar xz -C /opt
SHELL ["micromamba", "run", "-n", "base", "/bin/bash", "-c"]
RUN python -c 'import numpy; print(numpy.__version__)'
COPY . /app
WORKDIR /app
CMD python -m analysis
