// One way to write a JSON value, so that what means the same is the same text: keys are sorted,
// nulls and empty collections left out (in the API they mean the same as absence).
#pragma once

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace millwright::dialects::gardener {

boost::json::value Canonical(const boost::json::value& value);
std::string CanonicalText(const boost::json::value& value);

// Parts of a machine's spec. Durations in them are written in one form.
//
// What is handed to existing machines: the node template, limits, and the kind of the class.
boost::json::object PassedPart(const boost::json::object& canonical_spec);

// The part of a template whose change needs new machines: all but the hash label and what is
// passed.
boost::json::object RollingPart(const boost::json::object& canonical_template);

// A limit in a machine's spec that is no duration; empty: there is none.
std::string_view UnreadableLimit(const boost::json::object& spec);

// A canonical template in which limits are written in one form.
boost::json::object CanonicalTemplate(const boost::json::value& machine_template);

}  // namespace millwright::dialects::gardener
