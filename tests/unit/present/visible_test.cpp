// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/visible.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

TEST(Visible, KeepsPrintableTextOfAnyScript)
{
    EXPECT_EQ(visible("layer_norm(x) → ağ, 模型, שלום"), "layer_norm(x) → ağ, 模型, שלום");
}

TEST(Visible, ShowsControlsAsPictures)
{
    EXPECT_EQ(visible("a\x1b[31mb\x07"), "a␛[31mb␇");
    EXPECT_EQ(visible("line\r\nnext"), "line␍␊next");
    EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a␀b");
    EXPECT_EQ(visible("\x7f"), "␡");
    EXPECT_EQ(visible("a\tb"), "a b");
}

TEST(Visible, KeepsLinesWhenAsked)
{
    EXPECT_EQ(visible("a\n\tb\r", Lines::Keep), "a\n\tb␍");
}

TEST(Visible, NamesBidirectionalAndInvisibleCharacters)
{
    EXPECT_EQ(visible("x\u202Ey"), "x<U+202E>y");          // right-to-left override
    EXPECT_EQ(visible("\u2066a\u2069"), "<U+2066>a<U+2069>"); // isolates
    EXPECT_EQ(visible("\u200Bz\uFEFF"), "<U+200B>z<U+FEFF>");
    EXPECT_EQ(visible("a\u0085b\u2028c"), "a<U+0085>b<U+2028>c");
    EXPECT_EQ(visible("\U000E0041"), "<U+E0041>");          // tag characters carry hidden text
}

TEST(Visible, NamesBytesThatAreNoUtf8)
{
    EXPECT_EQ(visible("\xff"), "<0xFF>");
    EXPECT_EQ(visible("\xc0\xaf"), "<0xC0><0xAF>");          // overlong
    EXPECT_EQ(visible("\xed\xa0\x80"), "<0xED><0xA0><0x80>"); // surrogate
    EXPECT_EQ(visible("ok\xe2\x82"), "ok<0xE2><0x82>");      // cut off
    EXPECT_EQ(visible("\xf4\x90\x80\x80"), "<0xF4><0x90><0x80><0x80>"); // above U+10FFFF
}

TEST(Visible, ItsOwnOutputStaysAsItIs)
{
    std::string everything;
    for (int byte = 0; byte < 256; ++byte)
        everything += static_cast<char>(byte);
    everything += "\u202E\U0010FFFF";
    const std::string once = visible(everything);
    EXPECT_EQ(visible(once), once);
}

TEST(VisibleShort, CutsAtCharactersAndSaysSo)
{
    EXPECT_EQ(visibleShort("abcdef", 6), "abcdef");
    EXPECT_EQ(visibleShort("abcdefg", 6), "abcde…");
    EXPECT_EQ(visibleShort("ğğğğ", 3), "ğğ…");
    EXPECT_EQ(visibleShort(std::string(1'000'000, 'x'), 4), "xxx…");
    EXPECT_EQ(visibleShort("", 3), "");
}

} // namespace
} // namespace kw
