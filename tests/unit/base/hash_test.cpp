// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hash.h"
#include "base/random.h"

#include <gtest/gtest.h>

namespace kw {

// FIPS 180-4 example vectors.
TEST(Hash, MatchesPublishedVectors)
{
    EXPECT_EQ(sha256(std::string_view("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256(std::string_view("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Hash, PartsDoNotRunIntoEachOther)
{
    EXPECT_NE(sha256({std::string_view("ab"), std::string_view("c")}), sha256({std::string_view("a"), std::string_view("bc")}));
}

TEST(Random, DerivedSeedsDependOnSeedAndPurpose)
{
    EXPECT_EQ(derivedSeed(1, "inputs"), derivedSeed(1, "inputs"));
    EXPECT_NE(derivedSeed(1, "inputs"), derivedSeed(1, "order"));
    EXPECT_NE(derivedSeed(1, "inputs"), derivedSeed(2, "inputs"));
    EXPECT_NE(secretSeed(), secretSeed());
}

} // namespace kw
