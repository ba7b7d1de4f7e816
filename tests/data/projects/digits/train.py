import argparse

import torch
from torch import nn
import wandb

from model import Net


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = Net().to(device)
    loader = torch.utils.data.DataLoader([], num_workers=8)


if __name__ == "__main__":
    main()
