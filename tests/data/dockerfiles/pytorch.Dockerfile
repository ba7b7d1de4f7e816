# syntax=docker/dockerfile:1
# A training image with pinned packages.
ARG PYTORCH=24.03-py3
FROM nvcr.io/nvidia/pytorch:${PYTORCH}

LABEL org.opencontainers.image.title="Digit training" \
      org.opencontainers.image.version="1.2"
ENV PYTHONUNBUFFERED=1 \
    HF_HOME=/workspace/cache
ENV PATH=/opt/tools/bin:$PATH

WORKDIR /workspace
COPY requirements.txt constraints.txt ./
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install --no-cache-dir \
        # the image's own PyTorch stays
        -r requirements.txt \
        -c constraints.txt
COPY src/ src/
COPY train.py .

USER 1000:1000
EXPOSE 6006
ENTRYPOINT ["python", "train.py"]
CMD ["--epochs", "10"]
