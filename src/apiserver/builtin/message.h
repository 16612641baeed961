// Protobuf messages of the built-in types, as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/builtin/type.h"
#include "apiserver/builtin/wire.h"
#include "base/result.h"

namespace millwright::apiserver::builtin {

class MessageReader {
 public:
  // Adds the fields of a message to an object. Zero values are there if they are in the message:
  // GoReader knows which of them Go would write.
  Result<void> Read(const Type& type, std::string_view message, boost::json::object& object);

 private:
  // Into a value that an earlier field of the same number may have begun.
  Result<void> ReadInto(const Type& type, const WireField& wire, boost::json::value& value);
  Result<void> ReadMessage(const Type& type, std::string_view message, boost::json::value& value);
  Result<void> ReadRepeated(const Type& type, std::string_view message, std::uint32_t number,
                            boost::json::array& list);
  Result<void> ReadItem(const Type& type, const WireField& wire, boost::json::array& list);
  Result<void> ReadPacked(const Type& type, std::string_view bytes, boost::json::array& list);
  Result<void> ReadEntry(const Type& type, std::string_view message, boost::json::object& map);
  Result<void> ReadSchema(const Type& type, std::string_view message, boost::json::value& value);

  Result<void> CountValue();

  std::size_t values_ = 0;
  int depth_ = 0;
};

}  // namespace millwright::apiserver::builtin
