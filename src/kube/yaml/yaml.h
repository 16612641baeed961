// YAML to JSON values and back, as kubectl reads and writes it.
//
// The rules are those of Go's sigs.k8s.io/yaml, so that a manifest means the same here and there:
// YAML 1.1 booleans (yes, on, y), octal 0777, timestamps stay text, keys become text. Where that
// library is lax we are not: a key that stands twice is an error, and of keys brought in by `<<`
// those written out in the mapping win, wherever the `<<` stands, as the YAML specification says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::kube {

// Every document of a stream, without those that hold nothing (comments only, or null). JSON is
// YAML.
//
// `source_name` is what a person calls the text, usually a path; an error is kInvalid and begins
// with "source_name:line:column: ". Values never appear in errors, since they may be secrets; keys
// do.
Result<std::vector<boost::json::value>> ParseYamlDocuments(std::string_view text,
                                                           std::string_view source_name);

// The only document of a text; null if the text holds nothing, kInvalid if it holds several.
Result<boost::json::value> ParseYaml(std::string_view text, std::string_view source_name);

// Block style, keys in byte order, ends with a newline. Text that would be read as something else
// is quoted, so that ParseYaml gives the value back, save that whole floating-point numbers come
// back as integers (1.0 as 1, like everywhere in Kubernetes). Bytes that are not UTF-8 become
// U+FFFD.
std::string ToYaml(const boost::json::value& value);

}  // namespace millwright::kube
