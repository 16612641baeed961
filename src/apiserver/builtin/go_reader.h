// Reads JSON into a Go type and writes it again, in place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/builtin/type.h"
#include "base/result.h"

namespace millwright::apiserver::builtin {

class GoReader {
 public:
  // A null becomes the type's zero value. Fails with kInvalid in the words of encoding/json. The
  // value must not be nested too deep.
  Result<void> Read(const Type& type, boost::json::value& value);

 private:
  Result<void> ReadScalar(const Type& type, boost::json::value& value);
  Result<void> ReadText(const Type& type, boost::json::value& value);
  Result<void> ReadIntOrString(boost::json::value& value);
  Result<void> ReadStruct(const Type& type, boost::json::value& value);
  Result<void> ReadList(const Type& type, boost::json::value& value);
  Result<void> ReadMap(const Type& type, boost::json::value& value);
  Result<void> ReadSchema(const Type& type, boost::json::value& value);
  // Takes out what is unknown or not written.
  Result<void> ReadMembers(const Type& type, boost::json::object& object);
  Result<void> ReadMember(const Member& member, boost::json::value& value);
  // Fields that Go writes although nobody gave them.
  Result<void> Complete(const Type& type, boost::json::object& object);

  Failure CannotUnmarshal(const boost::json::value& value, std::string_view type_name) const;

  // Where we are, for messages: names of fields and inlined structs, and the struct of the last.
  std::vector<std::string_view> path_;
  std::string_view struct_name_;
};

}  // namespace millwright::apiserver::builtin
