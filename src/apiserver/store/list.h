// Lists, now or as it was: a page of the objects of a scope at one revision.
#pragma once

#include <string>
#include <vector>

#include "apiserver/store/history.h"
#include "apiserver/store/objects.h"
#include "base/result.h"

namespace millwright::apiserver {

struct ListQuery {
  std::string scope;
  // Only keys behind this one: the last key of the page before.
  std::string start_after = {};
  std::size_t limit = 0;  // 0: all
  // 0: the newest. The pages of one list name the revision of the first, and so fit together
  // although writes go on.
  Revision revision = 0;
  // Whether the objects behind a full page are worth counting: it costs a walk over them.
  bool count_remaining = false;
};

struct Page {
  std::vector<RecordPtr> records;
  Revision revision = 0;
  bool more = false;          // there are objects behind the last one
  std::size_t remaining = 0;  // how many, if it was asked
};

// Fails with kExpired if that revision has been compacted, with kUnavailable if it has not been
// reached.
Result<Page> ListObjects(const Objects& objects, const History& history, const ListQuery& query);

}  // namespace millwright::apiserver
