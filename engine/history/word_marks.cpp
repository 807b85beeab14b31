// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/word_marks.h"

#include <algorithm>
#include <string_view>

namespace kw {

namespace {

/// Longer lines are left unmarked: the comparison grows with the product of both lengths.
constexpr std::size_t mostWords = 400;

bool partOfWord(char letter)
{
    const auto byte = static_cast<unsigned char>(letter);
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte >= 0x80;
}

std::vector<WordMark> wordsOf(std::string_view text)
{
    std::vector<WordMark> words;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = begin + 1;
        if (partOfWord(text[begin])) {
            while (end < text.size() && partOfWord(text[end]))
                ++end;
        } else if (text[begin] == ' ') {
            while (end < text.size() && text[end] == ' ')
                ++end;
        }
        words.push_back({static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end - begin)});
        begin = end;
    }
    return words;
}

std::string_view wordAt(const DiffRow& row, const WordMark& word)
{
    return std::string_view(row.text).substr(static_cast<std::size_t>(word.begin), static_cast<std::size_t>(word.length));
}

void addMark(std::vector<WordMark>& marks, const WordMark& word)
{
    if (!marks.empty() && marks.back().begin + marks.back().length == word.begin)
        marks.back().length += word.length;
    else
        marks.push_back(word);
}

/// Longest common sequence of words; whatever is outside it gets a mark.
void markPair(DiffRow& before, DiffRow& after)
{
    const auto a = wordsOf(before.text), b = wordsOf(after.text);
    if (a.size() > mostWords || b.size() > mostWords)
        return;
    const std::size_t width = b.size() + 1;
    std::vector<std::int32_t> length((a.size() + 1) * width, 0);
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;)
            length[i * width + j] = wordAt(before, a[i]) == wordAt(after, b[j])
                ? length[(i + 1) * width + j + 1] + 1
                : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
    std::vector<WordMark> removed, added;
    bool shared = false;
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (wordAt(before, a[i]) == wordAt(after, b[j])) {
            shared = shared || partOfWord(before.text[static_cast<std::size_t>(a[i].begin)]);
            ++i, ++j;
        } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) {
            addMark(removed, a[i++]);
        } else {
            addMark(added, b[j++]);
        }
    }
    while (i < a.size())
        addMark(removed, a[i++]);
    while (j < b.size())
        addMark(added, b[j++]);
    if (!shared)
        return;
    before.marks = std::move(removed);
    after.marks = std::move(added);
}

} // namespace

void markWords(std::vector<DiffRow>& rows)
{
    for (std::size_t index = 0; index < rows.size();) {
        std::size_t removedEnd = index;
        while (removedEnd < rows.size() && rows[removedEnd].kind == LineKind::Removed)
            ++removedEnd;
        std::size_t addedEnd = removedEnd;
        while (addedEnd < rows.size() && rows[addedEnd].kind == LineKind::Added)
            ++addedEnd;
        const std::size_t pairs = std::min(removedEnd - index, addedEnd - removedEnd);
        for (std::size_t pair = 0; pair < pairs; ++pair)
            markPair(rows[index + pair], rows[removedEnd + pair]);
        index = std::max(addedEnd, index + 1);
    }
}

} // namespace kw
