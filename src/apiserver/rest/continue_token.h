// What a client sends back to get the next page of a list.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/store/record.h"
#include "base/result.h"

namespace millwright::apiserver {

struct ContinueToken {
  Revision revision = 0;    // of the first page
  std::string start_after;  // below the scope of the list

  std::string Encode() const;
  static Result<ContinueToken> Decode(std::string_view text);

  friend bool operator==(const ContinueToken&, const ContinueToken&) = default;
};

}  // namespace millwright::apiserver
