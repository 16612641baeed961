// Pieces that several renderings share.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string_view>
#include <vector>

#include "dialects/machine_record.h"
#include "dialects/reports.h"

namespace millwright::dialects::gardener {

// {"metadata": {"annotations": changes}}, or nothing if there are none.
boost::json::object AnnotationPatch(boost::json::object changes);

// Puts `changes` at metadata.<field> of a patch if there are any.
void AddMetadata(boost::json::object& patch, std::string_view field, boost::json::object changes);

// The same for spec.
void AddSpec(boost::json::object& patch, boost::json::object changes);

// What makes `after` of `before`, both texts of objects.
boost::json::object Difference(std::string_view before, std::string_view after);

// The text of an object as a tree; an empty text is an empty object.
boost::json::object ObjectOf(std::string_view text);

// A list of the one owner that controls an object.
boost::json::array ControlledBy(std::string_view kind, const kube::Meta& owner);

// With our finalizer, which others may have put there already.
boost::json::array WithOurFinalizer(const boost::json::value* finalizers);

boost::json::object OperationJson(const ShownOperation& operation);

// The list of failedMachines.
boost::json::array FailedMachinesJson(const std::vector<FailedMachine>& failed);

// The same list without what changes all the time.
std::string FailedMachinesKey(const boost::json::value* list);

}  // namespace millwright::dialects::gardener
