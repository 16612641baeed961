// The parts of a strategic merge that call each other: objects contain lists contain objects.
// Nothing for others. All trees are known to be shallow enough to recurse.
#pragma once

#include <optional>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "base/result.h"
#include "kube/api/strategic_merge_patch.h"

namespace millwright::kube::strategic {

inline constexpr std::string_view kPatch = "$patch";
inline constexpr std::string_view kRetainKeys = "$retainKeys";
inline constexpr std::string_view kDeleteFromList = "$deleteFromPrimitiveList/";
inline constexpr std::string_view kSetElementOrder = "$setElementOrder/";

enum class Directive { kMerge, kReplace, kDelete };

// The value of "$patch" in a part of a patch; kMerge if there is none.
Result<Directive> ReadDirective(const boost::json::object& patch);

// A part of a patch where there is nothing to merge it with: without nulls and directives. Nothing
// if it only says to delete.
std::optional<boost::json::value> PlainValue(const boost::json::value& patch);

// Merges a part of a patch into an object. `keys` may be null.
Result<void> MergeObject(boost::json::value& target, const boost::json::object& patch,
                         const MergeKeys* keys);

// What a list becomes by a patch list. `field` may be null.
Result<boost::json::array> MergeList(const boost::json::array& current,
                                     const boost::json::array& patch, const MergeField* field);

// The merged list put into the wanted order, as far as that says; the server's order decides about
// the rest.
boost::json::array OrderList(const boost::json::array& merged, const boost::json::array& wanted,
                             const boost::json::array& server, const MergeField* field);

// Fails if the items of a patch list do not come in the order that the patch asks for.
Result<void> CheckOrder(const boost::json::array& patch, const boost::json::array& wanted,
                        const MergeField* field);

boost::json::array WithoutValues(const boost::json::array& list, const boost::json::array& values);

}  // namespace millwright::kube::strategic
