// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/artifact_check.h"

#include "base/elf_view.h"

#include <algorithm>
#include <array>

namespace kw {
namespace {

constexpr std::array<std::string_view, 3> allowedLibraries{"libgomp.so.1", "libm.so.6", "libc.so.6"};

/// Collects findings up to a bound.
class Findings {
public:
    void add(const char* id, std::string_view key, std::string_view value)
    {
        Message message = Message(id).with(std::string(key), std::string(value));
        if (m_messages.size() < mostFindings && std::find(m_messages.begin(), m_messages.end(), message) == m_messages.end())
            m_messages.push_back(std::move(message));
    }
    std::vector<Message> take() { return std::move(m_messages); }

private:
    std::vector<Message> m_messages;
};

bool isStartCode(const Elf64_Shdr& section, std::string_view name)
{
    if (section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_FINI_ARRAY || section.sh_type == SHT_PREINIT_ARRAY)
        return true;
    for (const std::string_view prefix : {".init", ".fini", ".ctors", ".dtors", ".preinit_array"}) {
        if (name.starts_with(prefix))
            return true;
    }
    return false;
}

void checkSection(const Elf64_Shdr& section, std::string_view name, Findings& findings)
{
    if (name == ".note.GNU-stack" && (section.sh_flags & SHF_EXECINSTR))
        findings.add("artifact.executable_stack", "section", name);
    if (!(section.sh_flags & SHF_ALLOC) || section.sh_size == 0)
        return;
    if (isStartCode(section, name))
        findings.add("artifact.constructor", "section", name);
    else if (section.sh_flags & SHF_TLS)
        findings.add("artifact.thread_local", "section", name);
    else if ((section.sh_flags & SHF_WRITE) && (section.sh_flags & SHF_EXECINSTR))
        findings.add("artifact.writable_code", "section", name);
    else if ((section.sh_flags & SHF_WRITE) && !name.starts_with(".data.rel.ro"))
        findings.add("artifact.writable_data", "section", name);
}

void checkSymbol(const ElfView& view, const Elf64_Sym& symbol, std::string_view name, Findings& findings)
{
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (type == STT_GNU_IFUNC)
        findings.add("artifact.indirect_function", "symbol", name);
    if (symbol.st_shndx == SHN_COMMON)
        findings.add("artifact.writable_data", "section", name);
    if (symbol.st_shndx == SHN_UNDEF) {
        if (!name.empty() && !symbolAllowed(name))
            findings.add("artifact.symbol", "symbol", name);
        return;
    }
    if (symbol.st_shndx < view.sections().size() && type == STT_OBJECT && (view.sections()[symbol.st_shndx].sh_flags & SHF_EXECINSTR))
        findings.add("artifact.data_in_code", "symbol", name);
}

void checkSymbols(const ElfView& view, std::uint32_t tableType, Findings& findings)
{
    for (const Elf64_Shdr& section : view.sections()) {
        if (section.sh_type != tableType || section.sh_link >= view.sections().size())
            continue;
        const std::string_view names = view.content(view.sections()[section.sh_link]);
        for (const Elf64_Sym& symbol : view.entries<Elf64_Sym>(section))
            checkSymbol(view, symbol, ElfView::text(names, symbol.st_name), findings);
    }
}

void checkDynamic(const ElfView& view, Findings& findings)
{
    for (const Elf64_Shdr& section : view.sections()) {
        if (section.sh_type != SHT_DYNAMIC || section.sh_link >= view.sections().size())
            continue;
        const std::string_view names = view.content(view.sections()[section.sh_link]);
        for (const Elf64_Dyn& entry : view.entries<Elf64_Dyn>(section)) {
            const std::string_view text = ElfView::text(names, entry.d_un.d_val);
            switch (entry.d_tag) {
            case DT_NEEDED:
                if (std::find(allowedLibraries.begin(), allowedLibraries.end(), text) == allowedLibraries.end())
                    findings.add("artifact.library", "library", text);
                break;
            case DT_INIT: case DT_FINI: case DT_INIT_ARRAY: case DT_FINI_ARRAY: case DT_PREINIT_ARRAY:
                findings.add("artifact.constructor", "section", "DT_INIT");
                break;
            case DT_RPATH: case DT_RUNPATH: case DT_AUDIT: case DT_DEPAUDIT: case DT_FILTER: case DT_AUXILIARY:
                findings.add("artifact.search_path", "path", text);
                break;
            case DT_TEXTREL:
                findings.add("artifact.text_relocation", "section", ".text");
                break;
            default:
                break;
            }
        }
    }
}

void checkRelocations(const ElfView& view, Findings& findings)
{
#if defined(__x86_64__)
    for (const Elf64_Shdr& section : view.sections()) {
        if (section.sh_type != SHT_RELA)
            continue;
        for (const Elf64_Rela& relocation : view.entries<Elf64_Rela>(section)) {
            const auto type = ELF64_R_TYPE(relocation.r_info);
            if (type == R_X86_64_IRELATIVE || type == R_X86_64_COPY)
                findings.add("artifact.indirect_function", "symbol", section.sh_addr ? "IRELATIVE" : "?");
        }
    }
#endif
}

void checkSegments(const ElfView& view, Findings& findings)
{
    bool stackSeen = false;
    for (const Elf64_Phdr& segment : view.segments()) {
        if (segment.p_type == PT_GNU_STACK) {
            stackSeen = true;
            if (segment.p_flags & PF_X)
                findings.add("artifact.executable_stack", "section", "PT_GNU_STACK");
        }
        if (segment.p_type == PT_TLS)
            findings.add("artifact.thread_local", "section", "PT_TLS");
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) && (segment.p_flags & PF_X))
            findings.add("artifact.writable_code", "section", "PT_LOAD");
        if (segment.p_type == PT_INTERP)
            findings.add("artifact.not_elf", "what", "PT_INTERP");
    }
    if (!stackSeen)
        findings.add("artifact.executable_stack", "section", "PT_GNU_STACK");
}

bool exportsEntry(const ElfView& view)
{
    for (const Elf64_Shdr& section : view.sections()) {
        if (section.sh_type != SHT_DYNSYM || section.sh_link >= view.sections().size())
            continue;
        const std::string_view names = view.content(view.sections()[section.sh_link]);
        for (const Elf64_Sym& symbol : view.entries<Elf64_Sym>(section)) {
            if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && ElfView::text(names, symbol.st_name) == "kw_launch")
                return true;
        }
    }
    return false;
}

} // namespace

std::vector<Message> checkObject(std::string_view object)
{
    Findings findings;
    const auto view = ElfView::open(object);
    if (!view || view->header().e_type != ET_REL) {
        findings.add("artifact.not_elf", "what", "object");
        return findings.take();
    }
    bool stackSeen = false;
    for (const Elf64_Shdr& section : view->sections()) {
        const std::string_view name = view->sectionName(section);
        stackSeen = stackSeen || name == ".note.GNU-stack";
        checkSection(section, name, findings);
    }
    if (!stackSeen)
        findings.add("artifact.executable_stack", "section", ".note.GNU-stack");
    checkSymbols(*view, SHT_SYMTAB, findings);
    return findings.take();
}

std::vector<Message> checkLibrary(std::string_view library)
{
    Findings findings;
    const auto view = ElfView::open(library);
    if (!view || view->header().e_type != ET_DYN) {
        findings.add("artifact.not_elf", "what", "library");
        return findings.take();
    }
    checkSegments(*view, findings);
    checkDynamic(*view, findings);
    checkRelocations(*view, findings);
    checkSymbols(*view, SHT_DYNSYM, findings);
    if (!exportsEntry(*view))
        findings.add("artifact.no_entry", "symbol", "kw_launch");
    return findings.take();
}

} // namespace kw
