# A softmax classifier on 6000 pictures of Fashion-MNIST, tried on 2000 others.
import gzip

import numpy
import torch

FOLDER = "/usr/share/datasets/fashion-mnist"


def read(name, header, count, shape):
    with gzip.open(f"{FOLDER}/{name}.gz") as file:
        file.read(header)
        return torch.from_numpy(numpy.frombuffer(file.read(count * shape), dtype=numpy.uint8).reshape(count, shape).copy())


def pictures(prefix, count):
    return read(f"{prefix}-images-idx3-ubyte", 16, count, 784).float() / 255, read(f"{prefix}-labels-idx1-ubyte", 8, count, 1).long()[:, 0]


torch.manual_seed(1)
x, y = pictures("train", 6000)
test_x, test_y = pictures("t10k", 2000)
model = torch.nn.Linear(784, 10)
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
for epoch in range(3):
    for batch in torch.randperm(len(x)).split(100):
        loss = torch.nn.functional.cross_entropy(model(x[batch]), y[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    accuracy = (model(test_x).argmax(1) == test_y).float().mean().item()
    print(f"epoch {epoch + 1} loss {loss.item():.4f}\naccuracy {accuracy:.4f}", flush=True)
