// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace kw {

/// Bounds-checked reading of a 64-bit little-endian ELF file. Borrows the bytes.
class ElfView {
public:
    /// Empty when header or tables do not fit the bytes.
    static std::optional<ElfView> open(std::string_view bytes);

    const Elf64_Ehdr& header() const { return m_header; }
    const std::vector<Elf64_Shdr>& sections() const { return m_sections; }
    const std::vector<Elf64_Phdr>& segments() const { return m_segments; }
    std::string_view sectionName(const Elf64_Shdr& section) const;
    /// The section's bytes; empty for NOBITS or when out of bounds.
    std::string_view content(const Elf64_Shdr& section) const;
    std::string_view bytesAt(std::uint64_t offset, std::uint64_t size) const;
    /// A text of a string table; empty when out of bounds.
    static std::string_view text(std::string_view table, std::uint64_t offset);

    /// All entries of a table section; a size that is no multiple of the entry gives none.
    template <typename Entry> std::vector<Entry> entries(const Elf64_Shdr& section) const
    {
        const std::string_view bytes = content(section);
        if (bytes.size() % sizeof(Entry) != 0)
            return {};
        std::vector<Entry> result(bytes.size() / sizeof(Entry));
        if (!result.empty())
            std::memcpy(result.data(), bytes.data(), bytes.size());
        return result;
    }

private:
    std::string_view m_bytes;
    Elf64_Ehdr m_header{};
    std::vector<Elf64_Shdr> m_sections;
    std::vector<Elf64_Phdr> m_segments;
};

} // namespace kw
