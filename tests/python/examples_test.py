# SPDX-License-Identifier: GPL-3.0-or-later
"""The example models compute what they claim to compute."""
import sys
import unittest
from pathlib import Path

import numpy
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources" / "examples"))


class Llama(unittest.TestCase):
    def test_equals_the_model_of_transformers_with_the_same_weights(self):
        import llama
        from transformers import LlamaConfig, LlamaForCausalLM

        config = llama.Config()
        names = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
                 "rms_norm_eps", "rope_theta")
        theirs = LlamaForCausalLM(LlamaConfig(**{name: getattr(config, name) for name in names}, use_cache=False)).eval()
        ours = llama.model(config)
        theirs.load_state_dict(ours.state_dict(), strict=True)
        tokens, = llama.inputs(config)
        self.assertEqual(tokens.shape, (1, 256))
        with torch.no_grad():
            expected, actual = theirs(tokens).logits, ours(tokens)
        self.assertGreater(expected.abs().max().item(), 0.5)
        torch.testing.assert_close(actual, expected, rtol=0.0, atol=1e-5)


class ToneMapping(unittest.TestCase):
    def test_the_srgb_curve_has_the_standards_values(self):
        import tone_mapping

        # IEC 61966-2-1: the linear value of mid grey and the end points; the two branches meet at the threshold.
        srgb = torch.tensor([0.0, 0.04045, 0.5, 1.0], dtype=torch.float64)
        linear = torch.tensor([0.0, 0.0031308, 0.21404114, 1.0], dtype=torch.float64)
        torch.testing.assert_close(tone_mapping.to_linear(srgb), linear, rtol=0.0, atol=1e-6)
        torch.testing.assert_close(tone_mapping.to_srgb(linear), srgb, rtol=0.0, atol=1e-5)

    def test_agrees_with_a_numpy_version_in_double_precision(self):
        import tone_mapping

        height, width = 24, 31
        photo = torch.rand(1, 3, height, width, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
        module = tone_mapping.ToneMapping().double().eval()
        reach = module.window // 2

        def window_mean(plane):
            result = numpy.empty_like(plane)
            for row in range(height):
                for column in range(width):
                    result[row, column] = plane[max(0, row - reach):row + reach + 1, max(0, column - reach):column + reach + 1].mean()
            return result

        weights = module.weights.numpy().reshape(3, 1, 1)
        pixels = photo.numpy()[0]
        exposed = numpy.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4) * 2.0 ** 0.7
        light = (exposed * weights).sum(axis=0)
        mean = window_mean(light)
        deviation = numpy.sqrt(numpy.maximum(window_mean(light * light) - mean * mean, 0.0) + 1e-6)
        local = numpy.maximum(mean + (light - mean) * (1.0 + 0.6 / (1.0 + deviation / 0.05)), 0.0)
        shaped = exposed * (local / (light + 1e-4))
        curved = shaped * (2.51 * shaped + 0.03) / (shaped * (2.43 * shaped + 0.59) + 0.14)
        grey = (curved * weights).sum(axis=0)
        final = numpy.clip(grey + (curved - grey) * 1.15, 0.0, 1.0)
        expected = numpy.where(final <= 0.0031308, final * 12.92, 1.055 * final ** (1 / 2.4) - 0.055)
        with torch.no_grad():
            actual = module(photo).numpy()[0]
        numpy.testing.assert_allclose(actual, expected, rtol=0.0, atol=1e-6)  # the module keeps its weights' fp32 values

    def test_the_photo_is_a_full_hd_image_in_8_bit_steps(self):
        import tone_mapping

        photo, = tone_mapping.inputs()
        self.assertEqual(photo.shape, (1, 3, 1080, 1920))
        self.assertGreaterEqual(photo.min().item(), 0.0)
        self.assertLessEqual(photo.max().item(), 1.0)
        self.assertGreater(photo.std().item(), 0.1)
        torch.testing.assert_close(photo * 255.0, torch.round(photo * 255.0), rtol=0.0, atol=1e-3)


class MiniLM(unittest.TestCase):
    def test_embeddings_are_unit_vectors_that_ignore_padding_and_know_meaning(self):
        import minilm
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(minilm.weights_folder() / "tokenizer.json"))
        tokenizer.no_padding()
        module = minilm.model()

        def embed(sentence):
            ids = torch.tensor([tokenizer.encode(sentence).ids])
            with torch.no_grad():
                return module(ids, torch.ones_like(ids))[0], ids

        bread, ids = embed("How long does a sourdough loaf have to rise?")
        loaf, _ = embed("The dough needs a whole night before it can be baked.")
        copper, _ = embed("Copper prices fell sharply at the London exchange.")
        self.assertAlmostEqual(bread.norm().item(), 1.0, places=5)
        self.assertGreater((bread @ loaf).item(), (bread @ copper).item() + 0.2)

        padded = torch.cat((ids, torch.zeros(1, 9, dtype=ids.dtype)), dim=1)
        mask = (torch.arange(padded.shape[1]) < ids.shape[1]).long()[None]
        with torch.no_grad():
            torch.testing.assert_close(module(padded, mask)[0], bread, rtol=0.0, atol=1e-5)

    def test_the_input_is_a_padded_batch(self):
        import minilm

        ids, mask = minilm.inputs()
        self.assertEqual(ids.shape, (8, 128))
        self.assertTrue(0 < mask.float().mean().item() < 1)
        self.assertTrue((ids[mask == 0] == 0).all())


if __name__ == "__main__":
    unittest.main()
