# SPDX-License-Identifier: MIT-0
"""A small Llama in plain PyTorch. Computes what transformers' LlamaForCausalLM computes and has the same parameter names,
so that weights go from one to the other with load_state_dict."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    vocab_size: int = 32000
    hidden_size: int = 512
    intermediate_size: int = 1408
    num_hidden_layers: int = 8
    num_attention_heads: int = 8
    num_key_value_heads: int = 4
    rms_norm_eps: float = 1e-6
    rope_theta: float = 10000.0
    tokens: int = 256

    @property
    def head_size(self) -> int:
        return self.hidden_size // self.num_attention_heads


class RMSNorm(nn.Module):
    def __init__(self, size: int, eps: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        variance = x.pow(2).mean(-1, keepdim=True)
        return self.weight * (x * torch.rsqrt(variance + self.eps))


class Rotary(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        powers = torch.arange(0, config.head_size, 2, dtype=torch.int64).float() / config.head_size
        self.register_buffer("inverse_frequencies", 1.0 / config.rope_theta ** powers, persistent=False)

    def forward(self, tokens: int) -> tuple[torch.Tensor, torch.Tensor]:
        positions = torch.arange(tokens).float()
        angles = positions[:, None] * self.inverse_frequencies[None, :]
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos(), angles.sin()


def rotate_half(x: torch.Tensor) -> torch.Tensor:
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def apply_rotary(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    return x * cos + rotate_half(x) * sin


def repeat_heads(x: torch.Tensor, times: int) -> torch.Tensor:
    batch, heads, tokens, size = x.shape
    return x[:, :, None].expand(batch, heads, times, tokens, size).reshape(batch, heads * times, tokens, size)


class Attention(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.head_size = config.head_size
        self.groups = config.num_attention_heads // config.num_key_value_heads
        key_size = config.num_key_value_heads * config.head_size
        self.q_proj = nn.Linear(config.hidden_size, config.hidden_size, bias=False)
        self.k_proj = nn.Linear(config.hidden_size, key_size, bias=False)
        self.v_proj = nn.Linear(config.hidden_size, key_size, bias=False)
        self.o_proj = nn.Linear(config.hidden_size, config.hidden_size, bias=False)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        batch, tokens, width = x.shape
        q = self.q_proj(x).view(batch, tokens, -1, self.head_size).transpose(1, 2)
        k = self.k_proj(x).view(batch, tokens, -1, self.head_size).transpose(1, 2)
        v = self.v_proj(x).view(batch, tokens, -1, self.head_size).transpose(1, 2)
        q = apply_rotary(q, cos, sin)
        k = apply_rotary(k, cos, sin)
        k = repeat_heads(k, self.groups)
        v = repeat_heads(v, self.groups)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(mixed.transpose(1, 2).reshape(batch, tokens, width))


class GatedMLP(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.gate_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.up_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.down_proj = nn.Linear(config.intermediate_size, config.hidden_size, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.self_attn = Attention(config)
        self.mlp = GatedMLP(config)
        self.input_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.post_attention_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))


class Decoder(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))
        self.norm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.rotary = Rotary(config)

    def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
        x = self.embed_tokens(token_ids)
        cos, sin = self.rotary(token_ids.shape[1])
        for layer in self.layers:
            x = layer(x, cos, sin)
        return self.norm(x)


class Llama(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.model = Decoder(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)

    def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
        return self.lm_head(self.model(token_ids))


def model(config: Config = Config()) -> nn.Module:
    """Random weights, drawn as transformers draws them: normal with deviation 0.02, norms at one."""
    llama = Llama(config)
    random = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in llama.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0.0, 0.02, generator=random)
    return llama.eval()


def inputs(config: Config = Config()) -> tuple[torch.Tensor, ...]:
    random = torch.Generator().manual_seed(3)
    return (torch.randint(0, config.vocab_size, (1, config.tokens), generator=random),)
