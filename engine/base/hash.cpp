// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hash.h"

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>

namespace kw {
namespace {

class Digest {
public:
    Digest() : m_context(EVP_MD_CTX_new(), &EVP_MD_CTX_free) { EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr); }

    void add(std::string_view bytes) { EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()); }

    std::string hex()
    {
        std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
        unsigned int size = 0;
        EVP_DigestFinal_ex(m_context.get(), bytes.data(), &size);
        constexpr std::string_view digits = "0123456789abcdef";
        std::string text;
        text.reserve(2 * size);
        for (unsigned int i = 0; i < size; ++i) {
            text += digits[bytes[i] >> 4];
            text += digits[bytes[i] & 15];
        }
        return text;
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> m_context;
};

} // namespace

std::string sha256(std::string_view bytes)
{
    Digest digest;
    digest.add(bytes);
    return digest.hex();
}

std::string sha256(const std::vector<std::string_view>& parts)
{
    Digest digest;
    for (const std::string_view part : parts) {
        const std::uint64_t size = part.size();
        digest.add({reinterpret_cast<const char*>(&size), sizeof size});
        digest.add(part);
    }
    return digest.hex();
}

} // namespace kw
