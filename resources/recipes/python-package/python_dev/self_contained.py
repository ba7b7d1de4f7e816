# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One file that needs only PyTorch: it fits a line to noisy points, on the GPU if there is one."""

import sys
import time


def main():
    try:
        import torch
    except ImportError as error:
        print(f"Error: this image has no PyTorch: {error}", file=sys.stderr, flush=True)
        return 1
    torch.manual_seed(7)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    print(f"PyTorch {torch.__version__} on {device}", flush=True)
    x = torch.linspace(-1, 1, 4096, device=device).unsqueeze(1)
    y = 3 * x + 0.5 + 0.1 * torch.randn_like(x)
    line = torch.nn.Linear(1, 1).to(device)
    optimiser = torch.optim.SGD(line.parameters(), lr=0.5)
    begun = time.perf_counter()
    for step in range(1, 101):
        optimiser.zero_grad()
        loss = torch.nn.functional.mse_loss(line(x), y)
        loss.backward()
        optimiser.step()
        if step % 20 == 0:
            print(f"step {step} loss {loss.item():.4f}", flush=True)
    slope, offset = line.weight.item(), line.bias.item()
    print(f"y = {slope:.2f} x + {offset:.2f}, found in {time.perf_counter() - begun:.2f} seconds; 3 x + 0.5 was hidden",
          flush=True)
    return 0 if abs(slope - 3) < 0.1 and abs(offset - 0.5) < 0.1 else 1


if __name__ == "__main__":
    sys.exit(main())
