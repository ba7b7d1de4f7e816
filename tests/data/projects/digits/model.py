from torch import nn


class Net(nn.Module):
    pass


if __name__ == "__main__":  # a quick look
    print(Net())
