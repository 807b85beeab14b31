# SPDX-License-Identifier: GPL-3.0-or-later
"""The small models that tests open: each function returns (module, inputs, options of torch.export.export)."""
import torch
from torch import nn
from torch.nn import functional as F


def seeded(module: nn.Module, seed: int) -> nn.Module:
    """Draws every parameter and statistic, so that no layer is the identity by accident."""
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, value in list(module.named_parameters()) + list(module.named_buffers()):
            if not value.is_floating_point():
                continue
            if name.endswith("running_var"):
                value.copy_(0.5 + torch.rand(value.shape, generator=random))
            elif value.dim() > 1:
                value.copy_(torch.randn(value.shape, generator=random) * (2.0 / value[0].numel()) ** 0.5)
            else:
                value.copy_(torch.randn(value.shape, generator=random) * 0.2 + (1.0 if name.endswith("weight") else 0.0))
    return module.eval()


def draw(seed: int, *shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def pointwise():
    class Pointwise(nn.Module):
        def forward(self, x, y):
            return torch.where(x > 0.5, x * y, torch.tanh(x) - y / 3.0), torch.sigmoid(x + y).sqrt()

    return Pointwise().eval(), (draw(1, 33, 129), draw(2, 33, 129)), {}


def mlp():
    layers = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 256), nn.SiLU(), nn.Linear(256, 10))
    return seeded(layers, 3), (draw(4, 32, 64),), {}


def layer_norm():
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm(384)

        def forward(self, x, residual):
            return self.norm(x + residual) * 0.5 + residual

    return seeded(Block(), 5), (draw(6, 4, 96, 384), draw(7, 4, 96, 384)), {}


def rms_norm():
    class RMSNorm(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(512))

        def forward(self, x):
            return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))

    return seeded(RMSNorm(), 8), (draw(9, 1, 256, 512),), {}


def softmax():
    class Scores(nn.Module):
        def forward(self, scores, mask):
            return torch.softmax(scores * 0.125 + mask, dim=-1)

    mask = torch.zeros(1, 1, 128, 128).masked_fill(torch.ones(128, 128).triu(1).bool(), float("-inf"))
    return Scores().eval(), (draw(10, 2, 4, 128, 128), mask), {}


def gelu_chain():
    """A tanh-GELU written out, as many models carry it, in front of a second one."""
    class Chain(nn.Module):
        def forward(self, x, bias):
            y = x + bias
            y = 0.5 * y * (1.0 + torch.tanh(0.7978845608028654 * (y + 0.044715 * y.pow(3))))
            return F.gelu(y * 1.5 - 0.25) + x

    return Chain().eval(), (draw(11, 512, 768), draw(12, 768)), {}


class BasicBlock(nn.Module):
    def __init__(self, before: int, after: int, stride: int):
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(after)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(after)
        self.downsample = None
        if stride != 1 or before != after:
            self.downsample = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)), inplace=True)
        y = self.bn2(self.conv2(y))
        y += x if self.downsample is None else self.downsample(x)
        return F.relu(y, inplace=True)


class ResNet18(nn.Module):
    """He et al. 2015, table 1; the same layers and names as torchvision's resnet18."""
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        widths = (64, 64, 128, 256, 512)
        for number in range(1, 5):
            before, after, stride = widths[number - 1], widths[number], 1 if number == 1 else 2
            self.add_module(f"layer{number}", nn.Sequential(BasicBlock(before, after, stride), BasicBlock(after, after, 1)))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512, 1000)

    def forward(self, x):
        x = self.maxpool(F.relu(self.bn1(self.conv1(x)), inplace=True))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


def resnet18():
    return seeded(ResNet18(), 13), (draw(14, 1, 3, 224, 224),), {}


def dynamic():
    """Rows are symbolic from 2 on; the scale is computed from the size."""
    class Rows(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(32, 48)

        def forward(self, x):
            return torch.softmax(self.linear(x), dim=-1) * x.shape[0]

    return seeded(Rows(), 15), (draw(16, 7, 32),), {"dynamic_shapes": {"x": {0: torch.export.Dim("rows", min=2, max=4096)}}}


def state():
    """A buffer that every call changes: two runs give the same only when it is put back between them."""
    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", torch.zeros(16))
            self.register_buffer("calls", torch.zeros((), dtype=torch.int64), persistent=False)

        def forward(self, x):
            self.total.add_(x.sum(dim=0))
            self.calls.add_(1)
            return self.total * 2.0, self.calls + 0

    return Counter().eval(), (draw(17, 8, 16),), {}


def tied():
    """One storage, two names; keyword inputs; an output that is an input; integers and booleans."""
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(100, 24)
            self.head = nn.Linear(24, 100, bias=False)
            self.head.weight = self.embedding.weight

        def forward(self, ids, *, scale):
            logits = self.head(self.embedding(ids) * scale)
            return {"logits": logits, "top": logits.argmax(-1), "sure": logits.amax(-1) > 0.5, "ids": ids}

    ids = torch.arange(40).reshape(4, 10) * 7 % 100
    return seeded(Tied(), 18), (ids,), {"kwargs": {"scale": torch.tensor(1.5)}}


def branches():
    """torch.cond: two sub-graphs."""
    class Branches(nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda t: t.sin() + 1.0, lambda t: t.cos() - 1.0, (x,))

    return Branches().eval(), (draw(19, 64, 3),), {}


def lstm():
    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(20, 32, num_layers=2, batch_first=True)

        def forward(self, x):
            y, (hidden, cell) = self.lstm(x)
            return y, hidden, cell

    return seeded(Recurrent(), 20), (draw(21, 3, 12, 20),), {}


def products():
    """Almost everything is a matrix product: there is next to nothing to win."""
    class Products(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(768, 3072, bias=False)
            self.second = nn.Linear(3072, 768, bias=False)

        def forward(self, x):
            return self.second(self.first(x))

    return seeded(Products(), 22), (draw(23, 256, 768),), {}


ALL = {function.__name__: function for function in (
    pointwise, mlp, layer_norm, rms_norm, softmax, gelu_chain, resnet18, dynamic, state, tied, branches, lstm, products)}
