// Every object of a kind, page by page, for commands that look once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kube/client/client.h"
#include "kube/projection/list.h"

namespace millwright::cli {

template <class Record>
using Decode = std::function<Result<Record>(kube::JsonObject)>;

// What cannot be decoded is left out: the others are still worth showing.
template <class Record>
Task<Result<void>> ListAll(kube::Client& client, kube::GroupVersionResource resource,
                           std::string name_space, Decode<Record> decode,
                           std::vector<Record>& into) {
  constexpr std::int64_t kPage = 500;
  kube::ListOptions options{.namespace_ = std::move(name_space), .limit = kPage};
  while (true) {
    CO_TRY(std::string page, co_await client.List(resource, options));
    CO_TRY(const kube::ListMeta meta,
           kube::ForEachListItem(std::move(page), [&](kube::JsonObject object) -> Result<void> {
             Result<Record> record = decode(object);
             if (record) into.push_back(*std::move(record));
             return {};
           }));
    if (meta.continue_token.empty()) co_return Ok();
    options.continue_token = meta.continue_token;
  }
}

}  // namespace millwright::cli
