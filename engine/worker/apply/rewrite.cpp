// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/apply/rewrite.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace kw {
namespace {

// The order of keys is kept, so that a reader's difference shows only what changed.
using Ordered = nlohmann::ordered_json;
using Names = std::vector<std::string>;

Error unexpected(std::string what)
{
    return Error{Message("apply.unexpected_model").with("what", std::move(what)), {}};
}

/// Every value that an argument mentions; a sub-graph's own names are not ours.
void collectNames(const Ordered& json, Names& names)
{
    if (json.is_array()) {
        for (const Ordered& item : json)
            collectNames(item, names);
        return;
    }
    if (!json.is_object())
        return;
    for (const auto& [key, item] : json.items()) {
        if (key == "as_graph")
            continue;
        if ((key == "name" || key == "as_name") && item.is_string())
            names.push_back(item.get<std::string>());
        else
            collectNames(item, names);
    }
}

Names readNames(const Ordered& node)
{
    Names names;
    for (const Ordered& input : node.at("inputs"))
        collectNames(input.at("arg"), names);
    return names;
}

Names definedNames(const Ordered& node)
{
    Names names;
    collectNames(node.at("outputs"), names);
    return names;
}

/// torch's convention: the operator's name ends with an underscore when it writes its first argument.
bool writesInPlace(const Ordered& node)
{
    const auto target = node.at("target").get<std::string>();
    const auto overload = target.rfind('.');
    return overload != std::string::npos && overload > 0 && target[overload - 1] == '_' && target.find("__") == std::string::npos;
}

struct Entry {
    Ordered json;
    Names reads, defines;
    bool barrier = false; ///< may not change places with anything
};
/// Shared, because each replacement makes a new order of the same nodes.
using EntryPtr = std::shared_ptr<Entry>;
using Entries = std::vector<EntryPtr>;

EntryPtr makeEntry(Ordered node)
{
    auto entry = std::make_shared<Entry>();
    entry->reads = readNames(node);
    entry->defines = definedNames(node);
    entry->barrier = writesInPlace(node);
    entry->json = std::move(node);
    return entry;
}

EntryPtr operatorEntry(const Replacement& replacement, const Ordered& like)
{
    Ordered node;
    node["target"] = replacement.target;
    node["inputs"] = Ordered::array();
    for (const auto& [argument, value] : replacement.arguments)
        node["inputs"].push_back({{"name", argument}, {"arg", {{"as_tensor", {{"name", value}}}}}, {"kind", 1}});
    node["outputs"] = Ordered::array();
    for (const std::string& value : replacement.outputs)
        node["outputs"].push_back({{"as_tensor", {{"name", value}}}});
    node["metadata"] = like.value("metadata", Ordered::object());
    node["metadata"].erase("torch_fn");
    if (like.contains("is_hop_single_tensor_return"))
        node["is_hop_single_tensor_return"] = nullptr;
    // The node's own name: that of its value, or, when it gives several, one that no value has.
    if (like.contains("name"))
        node["name"] = (replacement.outputs.size() > 1 ? "kernelwright_call_" : "") + replacement.outputs.front();
    return makeEntry(std::move(node));
}

class Rewriter {
public:
    explicit Rewriter(Ordered& graph) : m_graph(graph)
    {
        for (Ordered& node : graph.at("nodes"))
            m_entries.push_back(makeEntry(std::move(node)));
        Names names;
        collectNames(graph.at("inputs"), names);
        m_inputs.insert(names.begin(), names.end());
        collectNames(graph.at("outputs"), m_outputs);
    }

    bool apply(const Replacement& replacement)
    {
        const std::unordered_set<std::string> absorbed(replacement.absorbed.begin(), replacement.absorbed.end());
        Entries kept;
        const Ordered* like = nullptr;
        std::unordered_set<const Entry*> before; // the first absorbed node
        bool begun = false;
        for (const EntryPtr& entry : m_entries) {
            const bool goes = definesOneOf(*entry, replacement.outputs);
            begun = begun || (!entry->defines.empty() && allIn(entry->defines, absorbed));
            if (!begun)
                before.insert(entry.get());
            if (goes && !allIn(entry->defines, absorbed))
                return false;
            if (goes)
                like = &entry->json;
            else
                kept.push_back(entry);
        }
        if (!like)
            return false;
        kept.push_back(operatorEntry(replacement, *like));
        dropUnread(kept, absorbed);
        auto sorted = inOrder(std::move(kept), before);
        if (sorted.empty())
            return false;
        m_entries = std::move(sorted);
        return true;
    }

    void store()
    {
        Ordered nodes = Ordered::array();
        std::unordered_set<std::string> alive = m_inputs;
        for (EntryPtr& entry : m_entries) {
            alive.insert(entry->defines.begin(), entry->defines.end());
            nodes.push_back(std::move(entry->json));
        }
        m_graph["nodes"] = std::move(nodes);
        Ordered types = Ordered::object();
        for (auto& [name, type] : m_graph.at("tensor_values").items())
            if (alive.contains(name))
                types[name] = type;
        m_graph["tensor_values"] = std::move(types);
    }

private:
    static bool definesOneOf(const Entry& entry, const Names& names)
    {
        return std::any_of(entry.defines.begin(), entry.defines.end(),
            [&](const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); });
    }

    static bool allIn(const Names& names, const std::unordered_set<std::string>& set)
    {
        return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return set.contains(name); });
    }

    /// Removes absorbed nodes that nothing reads, last first, so that whole chains go. Those that write in place go too: a region
    /// takes them in only where nothing reads the old content later.
    void dropUnread(Entries& entries, const std::unordered_set<std::string>& absorbed) const
    {
        std::unordered_map<std::string, int> uses;
        for (const std::string& name : m_outputs)
            ++uses[name];
        for (const EntryPtr& entry : entries)
            for (const std::string& name : entry->reads)
                ++uses[name];
        const auto unread = [&](const Entry& entry) {
            return !entry.defines.empty() && allIn(entry.defines, absorbed)
                && std::none_of(entry.defines.begin(), entry.defines.end(), [&](const std::string& name) { return uses[name] > 0; });
        };
        // The last entry is the new operator itself.
        for (std::size_t i = entries.size() - 1; i-- > 0;) {
            if (!unread(*entries[i]))
                continue;
            for (const std::string& name : entries[i]->reads)
                --uses[name];
            entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    /// Stable topological order; the new operator (last entry) goes as early as its arguments allow.
    /// Empty when a node that writes in place would have to change places, also with the absorbed nodes: what they read could be
    /// overwritten before the operator reads it. `before`: those that came before the first of these.
    Entries inOrder(Entries entries, const std::unordered_set<const Entry*>& before) const
    {
        EntryPtr added = std::move(entries.back());
        entries.pop_back();
        std::unordered_set<std::string> known = m_inputs;
        Entries sorted;
        Entries waiting;
        bool placed = false;
        const auto ready = [&](const EntryPtr& entry) { return allIn(entry->reads, known); };
        const auto place = [&](EntryPtr entry) {
            known.insert(entry->defines.begin(), entry->defines.end());
            sorted.push_back(std::move(entry));
        };
        const auto placeWaiting = [&] {
            for (std::size_t i = 0; i < waiting.size();) {
                if (!ready(waiting[i])) {
                    ++i;
                    continue;
                }
                place(std::move(waiting[i]));
                waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
                i = 0;
            }
        };
        for (EntryPtr& entry : entries) {
            if (!placed && ready(added)) {
                place(std::move(added));
                placed = true;
                placeWaiting();
            }
            const bool overtakes = !placed && !before.contains(entry.get());
            if (ready(entry) && (!entry->barrier || (waiting.empty() && !overtakes))) {
                place(std::move(entry));
                placeWaiting();
            } else if (entry->barrier) {
                return {};
            } else {
                waiting.push_back(std::move(entry));
            }
        }
        if (!placed && ready(added)) {
            place(std::move(added));
            placed = true;
            placeWaiting();
        }
        if (!placed || !waiting.empty())
            return {};
        return sorted;
    }

    Ordered& m_graph;
    Entries m_entries;
    std::unordered_set<std::string> m_inputs;
    Names m_outputs;
};

} // namespace

Result<RewrittenModel> rewriteModelJson(std::string_view modelJson, const std::vector<Replacement>& replacements)
{
    try {
        Ordered model = Ordered::parse(modelJson.begin(), modelJson.end());
        Rewriter rewriter(model.at("graph_module").at("graph"));
        RewrittenModel result;
        for (const Replacement& replacement : replacements) {
            if (replacement.outputs.empty())
                return unexpected("an operator without outputs");
            result.applied.push_back(rewriter.apply(replacement));
        }
        rewriter.store();
        result.json = model.dump();
        return result;
    } catch (const nlohmann::json::parse_error& exception) {
        return Error{Message("json.malformed").with("what", std::string(exception.what())), {}};
    } catch (const nlohmann::json::exception& exception) {
        return unexpected(exception.what());
    }
}

} // namespace kw
