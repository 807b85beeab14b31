# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded random graphs of pointwise operators and reductions, in plain PyTorch as people write it, many to a model.

model(number) gives (module, inputs); inputs(number, draw) gives other values of the same shapes and strides.
Every function is continuous in what the graph computes (a comparison decides by an input, or between branches that meet
there), so that the distance to the same module in float64 is rounding and nothing else.
"""
import math
import random

import torch
from torch import nn
from torch.nn import functional as F

MODELS, PIECES = 5, 40
SIZES = (1, 2, 3, 5, 7, 8, 12, 16, 24, 31, 33, 64, 65, 129)
MOST_ELEMENTS = 12000

UNARY = (
    torch.tanh, torch.sigmoid, torch.relu, torch.abs, torch.neg, torch.sin, torch.cos, torch.erf, torch.square, F.silu, F.gelu, F.softplus,
    F.elu, F.hardtanh, F.mish, F.hardswish,
    lambda x: F.gelu(x, approximate="tanh"),
    lambda x: 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x.pow(3)))),
    lambda x: F.leaky_relu(x, 0.1),
    lambda x: torch.exp(-x.abs()),
    lambda x: torch.exp(torch.tanh(x)),
    lambda x: torch.log1p(x.abs()),
    lambda x: torch.sqrt(x * x + 1e-6),
    lambda x: torch.rsqrt(x.square() + 0.5),
    lambda x: 1.0 / (1.0 + x ** 2),
    lambda x: torch.sign(x) * x.abs() ** 1.5,
    lambda x: (x.abs() + 0.05) ** (1 / 2.4) * 1.055 - 0.055,
    lambda x: x.clamp(-1.0, 1.5),
    lambda x: x.clamp(min=-0.25) - 0.3,
    lambda x: x.clamp_max(0.75) * 1.1,
    lambda x: torch.where(x > 0, x, 0.2 * x),
    lambda x: torch.where(x <= 0.04045, x / 12.92, ((x.clamp(min=0.04045) + 0.055) / 1.055) ** 2.4),
    lambda x: x.masked_fill(x < 0, 0.0),
    lambda x: x / (x.abs() + 1),
    lambda x: (x + 1e-3).mul_(0.5).add_(0.125),
    lambda x: 2.5 - x,
)
BINARY = (
    torch.add, torch.sub, torch.mul, torch.maximum, torch.minimum,
    lambda a, b: a / (1.0 + b.abs()),
    lambda a, b: a * torch.sigmoid(b),
    lambda a, b: F.silu(a) * b,
    lambda a, b: torch.where(a > b, a, b),
    lambda a, b: torch.add(a, b, alpha=0.3),
    lambda a, b: a + 0.1 * (b - a),
    lambda a, b: torch.lerp(a, b, 0.25),
    lambda a, b: (a - b) ** 2,
    lambda a, b: torch.sqrt(a * a + b * b + 1e-5),
)
REDUCTIONS = (
    lambda x, dim, keep: x.sum(dim, keepdim=keep),
    lambda x, dim, keep: x.mean(dim, keepdim=keep),
    lambda x, dim, keep: x.amax(dim, keepdim=keep),
    lambda x, dim, keep: x.amin(dim, keepdim=keep),
    lambda x, dim, keep: x.square().mean(dim, keepdim=keep),
    lambda x, dim, keep: x.var(dim, unbiased=False, keepdim=keep),
    lambda x, dim, keep: torch.sqrt(x.pow(2).sum(dim, keepdim=keep) + 1e-6),
    lambda x, dim, keep: torch.logsumexp(x, dim, keepdim=keep),
)


class Normalise(nn.Module):
    """One of the norms that people write, over the last dimension."""

    def __init__(self, kind: int, size: int, draw: torch.Generator):
        super().__init__()
        self.kind, self.size = kind, size
        self.weight = nn.Parameter(1 + 0.2 * torch.randn(size, generator=draw))
        self.bias = nn.Parameter(0.2 * torch.randn(size, generator=draw))

    def forward(self, x):
        if self.kind == 0:
            return F.layer_norm(x, (self.size,), self.weight, self.bias, 1e-2)
        if self.kind == 1:
            return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-2))
        if self.kind == 2:
            centred = x - x.mean(dim=-1, keepdim=True)
            return centred / torch.sqrt(centred.pow(2).mean(dim=-1, keepdim=True) + 1e-2) * self.weight + self.bias
        return x / (x.norm(dim=-1, keepdim=True) + 0.1) * self.weight


class Piece(nn.Module):
    """One random graph. Its steps are drawn once; forward only follows them."""

    def __init__(self, seed: int):
        super().__init__()
        self.choose = random.Random(seed)
        self.draw = torch.Generator().manual_seed(seed)
        self.norms = nn.ModuleList()
        self.shape = self.choose_shape()
        self.inputs = [self.choose_input(position) for position in range(self.choose.randint(1, 3))]
        self.steps, self.outputs = [], []
        self.compose()

    def choose_shape(self):
        if self.choose.random() < 0.12:  # few long rows
            return [self.choose.choice((1, 2, 3)), self.choose.choice((1000, 2049, 4097))]
        shape = [self.choose.choice(SIZES) for _ in range(self.choose.choice((1, 2, 2, 2, 3, 3, 4)))]
        while math.prod(shape) > MOST_ELEMENTS:
            shape[shape.index(max(shape))] //= 3
        return shape

    def choose_input(self, position: int):
        """(shape in memory, order of its dimensions, columns that the view leaves out)"""
        own = list(self.shape)
        if position > 0:
            own = [1 if self.choose.random() < 0.3 else size for size in own]
            while len(own) > 1 and self.choose.random() < 0.25:
                own = own[1:]
        order = list(range(len(own)))
        if self.choose.random() < 0.25:
            self.choose.shuffle(order)
        return own, order, self.choose.choice((0, 0, 0, 3))

    def make_inputs(self, draw: torch.Generator):
        made = []
        for own, order, gap in self.inputs:
            stored = [own[dim] for dim in order]
            stored[-1] += gap
            tensor = torch.randn(stored, generator=draw)[..., :stored[-1] - gap]
            made.append(tensor.permute([order.index(dim) for dim in range(len(own))]))
        return made

    def compose(self):
        """Draws the steps by running them; values are remembered by position."""
        with torch.no_grad():
            self.values = self.make_inputs(self.draw)
            wanted = self.choose.randint(3, 9)
            for _ in range(8 * wanted):
                if len(self.steps) == wanted:
                    break
                self.add(*self.propose())
            last = len(self.values) - 1
            self.outputs = [last]
            if self.choose.random() < 0.3 and last > len(self.inputs):
                self.outputs.append(self.choose.randrange(len(self.inputs), last))
        self.leave_out_what_is_not_used()
        del self.values, self.choose, self.draw

    def leave_out_what_is_not_used(self):
        first = len(self.inputs)
        used = set(self.outputs)
        for at in range(len(self.steps) - 1, -1, -1):
            if first + at in used:
                used.update(self.steps[at][1])
        kept = [at for at in range(len(self.steps)) if first + at in used]
        place = {at: at for at in range(first)} | {first + at: first + new for new, at in enumerate(kept)}
        self.steps = [(function, [place[position] for position in positions]) for function, positions in (self.steps[at] for at in kept)]
        self.outputs = [place[position] for position in self.outputs]

    def add(self, function, positions):
        try:
            value = function(*(self.values[position] for position in positions))
        except RuntimeError:  # sizes that do not fit; nothing else may fail
            return
        if 0 < value.numel() <= 2 * MOST_ELEMENTS and value.abs().max() < 1e4:
            self.steps.append((function, positions))
            self.values.append(value)

    def propose(self):
        choose = self.choose
        # Mostly what was computed last, so that graphs are deep and not wide.
        at = len(self.values) - 1 if choose.random() < 0.8 else choose.randrange(len(self.values))
        x = self.values[at]
        kind = choose.random()
        if kind < 0.30:
            return choose.choice(UNARY), (at,)
        if kind < 0.52:
            return choose.choice(BINARY), (at, choose.randrange(len(self.values)))
        if kind < 0.60:
            return self.with_a_number(choose.randrange(6), choose.randint(-12, 12) / 8 or 0.1), (at,)
        if kind < 0.66:
            return self.decided_by_an_input(), (at, choose.randrange(len(self.inputs)))
        if kind < 0.80:
            return self.reduction(x.dim()), (at,)
        if kind < 0.87:
            dim, soft = choose.randrange(-x.dim(), x.dim()) if choose.random() < 0.4 and x.dim() else -1, choose.choice((F.softmax, F.log_softmax))
            scale = choose.choice((1.0, 0.125, 2.0))
            return (lambda v: soft(v * scale, dim=dim)), (at,)
        if kind < 0.93 and x.dim() > 0 and x.shape[-1] > 1:
            self.norms.append(Normalise(choose.randrange(4), x.shape[-1], self.draw))
            return self.norms[-1], (at,)
        return self.layout(x), (at,)

    @staticmethod
    def with_a_number(which: int, number: float):
        return (lambda x: x * number, lambda x: x + number, lambda x: number - x, lambda x: x / (abs(number) + 0.5),
                lambda x: torch.clamp(x, max=number), lambda x: (x - number) ** 2)[which]

    def decided_by_an_input(self):
        limit = self.choose.randint(-4, 4) / 4
        return self.choose.choice((
            lambda x, given: torch.where(given > limit, x, -0.5 * x),
            lambda x, given: torch.where((given < 0.5) & (given > -0.5), x, torch.tanh(x)),
            lambda x, given: x.masked_fill(given >= limit, -1.0),
            lambda x, given: x * (given > limit),
            lambda x, given: torch.softmax(x.masked_fill(given > limit + 1.0, -1e4), dim=-1),
        ))

    def reduction(self, rank: int):
        function = self.choose.choice(REDUCTIONS)
        dims = sorted(self.choose.sample(range(-rank, 0), self.choose.choice((1, 1, 1, 2)) if rank > 1 else rank)) if rank else [0]
        dim = dims[0] if len(dims) == 1 else tuple(dims)
        if self.choose.random() < 0.25:
            return lambda x: function(x, dim, False)
        if self.choose.random() < 0.5:
            return lambda x: function(x, dim, True)
        return lambda x: x - function(x, dim, True)  # a residual over the row

    def layout(self, x):
        choose, rank = self.choose, x.dim()
        if rank == 0:
            return lambda v: v.reshape(1)
        dim = choose.randrange(-rank, 0)
        half = x.shape[-1] // 2
        order = choose.sample(range(rank), rank)
        options = [
            lambda v: v.permute(order),
            lambda v: v.permute(order).contiguous(),
            lambda v: v.flatten(),
            lambda v: v.unsqueeze(0),
            lambda v: v.reshape(-1, v.shape[-1]),
            lambda v: v.transpose(0, -1) * 0.5,
            lambda v: torch.cat([v, -v], dim=dim),
            lambda v: torch.stack([v, v.square()], dim=0),
            lambda v: v.unsqueeze(-1).expand(*v.shape, 3),
            lambda v: v.select(dim, 0),
        ]
        if x.shape[-1] > 3:
            options += [
                lambda v: v[..., ::2], lambda v: v[..., 1:],
                lambda v: torch.cat([-v[..., half:], v[..., :half]], dim=-1),
                lambda v: v[..., :half] * torch.sigmoid(v[..., half:2 * half]),
            ]
        return choose.choice(options)

    def forward(self, *inputs):
        values = list(inputs)
        for function, positions in self.steps:
            values.append(function(*(values[position] for position in positions)))
        return [values[position] for position in self.outputs]


class Pieces(nn.Module):
    """Graphs that have nothing to do with each other, side by side."""

    def __init__(self, seeds):
        super().__init__()
        self.pieces = nn.ModuleList(Piece(seed) for seed in seeds)

    def forward(self, *inputs):
        outputs, first = [], 0
        for piece in self.pieces:
            outputs += piece(*inputs[first:first + len(piece.inputs)])
            first += len(piece.inputs)
        return tuple(outputs)

    def make_inputs(self, draw: int):
        generator = torch.Generator().manual_seed(draw)
        return tuple(tensor for piece in self.pieces for tensor in piece.make_inputs(generator))


def model(number: int):
    module = Pieces(range(number * PIECES, (number + 1) * PIECES)).eval()
    return module, module.make_inputs(number)
