# SPDX-License-Identifier: MIT-0
"""Photo tone mapping as a camera pipeline does it: exposure, local contrast, a filmic curve, saturation."""
import torch
from torch import nn
from torch.nn import functional as F

LUMINANCE = (0.2126, 0.7152, 0.0722)  # Rec. 709


def to_linear(srgb: torch.Tensor) -> torch.Tensor:
    return torch.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def to_srgb(linear: torch.Tensor) -> torch.Tensor:
    return torch.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def filmic(x: torch.Tensor) -> torch.Tensor:
    # Narkowicz' rational fit of the ACES curve.
    return (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)


class ToneMapping(nn.Module):
    def __init__(self, exposure: float = 0.7, clarity: float = 0.6, saturation: float = 1.15, window: int = 9):
        super().__init__()
        self.gain = 2.0 ** exposure
        self.clarity = clarity
        self.saturation = saturation
        self.window = window
        self.register_buffer("weights", torch.tensor(LUMINANCE).view(1, 3, 1, 1))

    def luminance(self, rgb: torch.Tensor) -> torch.Tensor:
        return (rgb * self.weights).sum(dim=1, keepdim=True)

    def window_mean(self, x: torch.Tensor) -> torch.Tensor:
        return F.avg_pool2d(x, self.window, stride=1, padding=self.window // 2, count_include_pad=False)

    def forward(self, photo: torch.Tensor) -> torch.Tensor:
        exposed = to_linear(photo) * self.gain

        # Local contrast: lift the difference from the neighbourhood's mean, less where there is much structure already.
        light = self.luminance(exposed)
        mean = self.window_mean(light)
        variance = (self.window_mean(light * light) - mean * mean).clamp(min=0.0)
        lift = 1.0 + self.clarity / (1.0 + torch.sqrt(variance + 1e-6) / 0.05)
        local = (mean + (light - mean) * lift).clamp(min=0.0)
        shaped = exposed * (local / (light + 1e-4))

        curved = filmic(shaped)
        grey = self.luminance(curved)
        coloured = grey + (curved - grey) * self.saturation
        return to_srgb(coloured.clamp(0.0, 1.0))


def model() -> nn.Module:
    return ToneMapping().eval()


def inputs() -> tuple[torch.Tensor, ...]:
    """A synthetic photo, 1920 x 1080: sky gradient, soft shapes, fine texture and sensor noise, in 8-bit steps."""
    height, width = 1080, 1920
    random = torch.Generator().manual_seed(1)
    y = torch.linspace(0.0, 1.0, height).view(1, 1, height, 1)
    x = torch.linspace(0.0, 1.0, width).view(1, 1, 1, width)
    colour = torch.tensor([0.45, 0.55, 0.75]).view(1, 3, 1, 1)
    photo = colour * (1.0 - 0.6 * y) + 0.1 * x
    for cells, strength in ((1, 0.25), (6, 0.15), (40, 0.08)):
        coarse = torch.rand(1, 3, 9 * cells, 16 * cells, generator=random) - 0.5
        photo = photo + strength * F.interpolate(coarse, size=(height, width), mode="bilinear", align_corners=False)
    photo = photo + 0.01 * torch.randn(1, 3, height, width, generator=random)
    return (torch.round(photo.clamp(0.0, 1.0) * 255.0) / 255.0,)
