// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elf_view.h"

namespace kw {
namespace {

template <typename Entry> bool readTable(std::string_view bytes, std::uint64_t offset, std::uint64_t count, std::uint64_t entrySize, std::vector<Entry>& table)
{
    if (count == 0)
        return true;
    if (entrySize != sizeof(Entry) || offset > bytes.size() || count > (bytes.size() - offset) / sizeof(Entry))
        return false;
    table.resize(count);
    std::memcpy(table.data(), bytes.data() + offset, count * sizeof(Entry));
    return true;
}

} // namespace

std::optional<ElfView> ElfView::open(std::string_view bytes)
{
    ElfView view;
    view.m_bytes = bytes;
    if (bytes.size() < sizeof view.m_header)
        return std::nullopt;
    std::memcpy(&view.m_header, bytes.data(), sizeof view.m_header);
    const Elf64_Ehdr& header = view.m_header;
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return std::nullopt;
    // A count that does not fit its field stands elsewhere; no honest candidate has that many sections.
    if (header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum || header.e_phnum == PN_XNUM)
        return std::nullopt;
    if (!readTable(bytes, header.e_shoff, header.e_shnum, header.e_shentsize, view.m_sections) ||
        !readTable(bytes, header.e_phoff, header.e_phnum, header.e_phentsize, view.m_segments))
        return std::nullopt;
    return view;
}

std::string_view ElfView::bytesAt(std::uint64_t offset, std::uint64_t size) const
{
    if (offset > m_bytes.size() || size > m_bytes.size() - offset)
        return {};
    return m_bytes.substr(offset, size);
}

std::string_view ElfView::content(const Elf64_Shdr& section) const
{
    return section.sh_type == SHT_NOBITS ? std::string_view() : bytesAt(section.sh_offset, section.sh_size);
}

std::string_view ElfView::text(std::string_view table, std::uint64_t offset)
{
    if (offset >= table.size())
        return {};
    const std::string_view rest = table.substr(offset);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

std::string_view ElfView::sectionName(const Elf64_Shdr& section) const
{
    return text(content(m_sections[m_header.e_shstrndx]), section.sh_name);
}

} // namespace kw
