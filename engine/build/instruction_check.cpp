// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/artifact_check.h"

#include "build/word_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>

namespace kw {
namespace {

// System calls, traps, clocks, machine state, transactions, random numbers: nothing that arithmetic needs.
constexpr std::array<std::string_view, 62> forbidden{"syscall", "sysenter", "sysexit", "sysexitl", "sysexitq", "sysret", "sysretl",
    "sysretq", "int", "int1", "int3", "into", "iret", "iretq", "hlt", "in", "out", "ins", "outs", "insb", "insl", "outsb", "outsl",
    "cli", "sti", "rdtsc", "rdtscp", "rdpmc", "rdpid", "cpuid", "wrpkru", "rdpkru", "rdmsr", "wrmsr", "xgetbv", "xsetbv", "rdfsbase",
    "rdgsbase", "wrfsbase", "wrgsbase", "swapgs", "vmcall", "vmmcall", "vmrun", "enclu", "encls", "monitor", "mwait", "umonitor",
    "umwait", "tpause", "rdrand", "rdseed", "xbegin", "xabort", "lgdt", "lidt", "ljmp", "lcall", "lret", "clui", "(bad)"};
// These change rounding or flush denormals for everything that runs afterwards.
constexpr std::array<std::string_view, 11> controlWrites{"ldmxcsr", "vldmxcsr", "fldcw", "fldenv", "frstor", "fxrstor", "fxrstor64",
    "xrstor", "xrstor64", "xrstors", "fninit"};

struct Instruction {
    std::uint64_t address = 0;
    std::string_view mnemonic, operands;
};

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

std::optional<std::uint64_t> hexNumber(std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return failed == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

bool isPrefix(std::string_view word)
{
    for (const std::string_view prefix : {"lock", "rep", "repz", "repnz", "repe", "repne", "bnd", "notrack", "data16", "addr32", "cs", "ds", "es", "ss", "rex.W"}) {
        if (word == prefix)
            return true;
    }
    return word.starts_with("rex") || word.starts_with("{");
}

/// "  1a:\tmov    %rax,%rbx"
std::optional<Instruction> parseLine(std::string_view line)
{
    const std::size_t colon = line.find(":\t");
    if (colon == std::string_view::npos)
        return std::nullopt;
    const auto address = hexNumber(trimmed(line.substr(0, colon)));
    if (!address)
        return std::nullopt;
    Instruction instruction;
    instruction.address = *address;
    std::string_view rest = trimmed(line.substr(colon + 2));
    do {
        const std::size_t space = rest.find_first_of(" \t");
        instruction.mnemonic = rest.substr(0, space);
        rest = space == std::string_view::npos ? std::string_view() : trimmed(rest.substr(space));
    } while (!rest.empty() && isPrefix(instruction.mnemonic));
    instruction.operands = rest;
    return instruction;
}

std::string hexText(std::uint64_t value)
{
    std::array<char, 17> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

/// One section's instructions and the branches seen in it.
class SectionCheck {
public:
    explicit SectionCheck(std::vector<Message>& findings) : m_findings(findings) {}

    void add(const Instruction& instruction)
    {
        m_addresses.insert(instruction.address);
        m_last = instruction.address;
        if (contains(forbidden, instruction.mnemonic))
            report("artifact.instruction", instruction);
        else if (contains(controlWrites, instruction.mnemonic))
            report("artifact.control_register", instruction);
        if (instruction.operands.find("%fs:") != std::string_view::npos || instruction.operands.find("%gs:") != std::string_view::npos)
            report("artifact.segment", instruction);
        if (instruction.mnemonic.starts_with("j") || instruction.mnemonic.starts_with("call") || instruction.mnemonic.starts_with("loop") ||
            instruction.mnemonic == "xbegin")
            branch(instruction);
    }

    void finish()
    {
        for (const auto& [target, from] : m_targets) {
            // A relocated branch points right behind itself; after the last instruction there is nothing to hit.
            if (from != m_last && !m_addresses.contains(target))
                report("artifact.branch_into_instruction", {from, "jmp", {}});
        }
        m_addresses.clear();
        m_targets.clear();
    }

private:
    void branch(const Instruction& instruction)
    {
        if (instruction.operands.starts_with("*")) {
            report("artifact.indirect_branch", instruction);
            return;
        }
        if (const auto target = hexNumber(instruction.operands))
            m_targets.emplace_back(*target, instruction.address);
    }

    void report(const char* id, const Instruction& instruction)
    {
        if (m_findings.size() < mostFindings)
            m_findings.push_back(Message(id).with("instruction", std::string(instruction.mnemonic)).with("address", hexText(instruction.address)));
    }

    std::vector<Message>& m_findings;
    std::unordered_set<std::uint64_t> m_addresses;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_targets; ///< target, branch
    std::uint64_t m_last = 0;
};

/// Calls visit(line) for each line without its end.
template <typename Visit> void forEachLine(std::string_view text, Visit visit)
{
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        visit(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

} // namespace

std::vector<Message> checkInstructions(std::string_view disassembly)
{
    std::vector<Message> findings;
    SectionCheck section(findings);
    bool any = false;
    forEachLine(disassembly, [&](std::string_view line) {
        if (line.starts_with("Disassembly of section")) {
            section.finish();
        } else if (const auto instruction = parseLine(line)) {
            any = true;
            section.add(*instruction);
        }
    });
    section.finish();
    if (!any)
        findings.push_back(Message("artifact.no_code"));
    return findings;
}

std::vector<Message> checkAssembly(std::string_view assembly)
{
    std::vector<Message> findings;
    bool inside = false;
    std::string place;
    forEachLine(assembly, [&](std::string_view line) {
        const std::string_view text = trimmed(line);
        if (text == "#APP") {
            inside = true;
        } else if (text == "#NO_APP") {
            inside = false;
        } else if (inside && text.starts_with("#")) {
            // # LINE "FILE" 1: where the statement stands.
            place = text.ends_with(" 1") ? std::string(text.substr(1, text.size() - 3)) : place;
        } else if (inside && !text.empty() && findings.size() < mostFindings) {
            findings.push_back(Message("artifact.inline_assembly").with("place", std::string(trimmed(place))).with("text", std::string(text.substr(0, 80))));
        }
    });
    return findings;
}

} // namespace kw
