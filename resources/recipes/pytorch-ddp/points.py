# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The task of the DDP examples: to which of ten clusters does a point belong? Generated here, so nothing is downloaded."""

FEATURES, CLOUDS = 32, 10


def dataset(torch, items, seed=1):
    """Points around ten centres: the same ones on every rank."""
    generator = torch.Generator().manual_seed(seed)
    centres = torch.randn(CLOUDS, FEATURES, generator=generator)
    labels = torch.randint(CLOUDS, (items,), generator=generator)
    points = centres[labels] + 0.9 * torch.randn(items, FEATURES, generator=generator)
    return torch.utils.data.TensorDataset(points, labels)


def model(torch, width):
    """Three layers; the width determines how much work a GPU has."""
    torch.manual_seed(2)
    nn = torch.nn
    return nn.Sequential(nn.Linear(FEATURES, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, CLOUDS))
