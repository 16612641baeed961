// An answer in the form the client asked for.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/resources/resource.h"
#include "apiserver/rest/output.h"
#include "base/result.h"
#include "base/time.h"
#include "net/url.h"

namespace millwright::apiserver {

// How a Table is to be made.
struct TableWishes {
  enum class Include { kNone, kMetadata, kObject };

  Include include = Include::kMetadata;  // what each row carries of its object
  bool headers = true;                   // later events of a watch repeat none
};

// By the parameter includeObject.
TableWishes TableWishesOf(const net::Target& target);

// `text` is one object or a list, as JSON. `now` is for ages.
std::string Render(const Output& output, const Resource& resource, std::string text,
                   const TableWishes& wishes, WallTime now);

}  // namespace millwright::apiserver
