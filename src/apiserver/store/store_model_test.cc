// The store against a model too simple to be wrong: the whole state, copied at every revision.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "apiserver/store/virtual_store.h"

namespace millwright::apiserver {
namespace {

using namespace std::chrono_literals;

class Model {
 public:
  // key -> "mod revision: value"
  struct Object {
    Revision mod_revision;
    std::string value;
  };
  using State = std::map<std::string, Object>;

  Model() : states_{State{}}, events_{""} {}

  // States and events by revision; the first revision is 1.
  Revision revision() const { return static_cast<Revision>(states_.size()); }
  const State& now() const { return states_.back(); }
  const State& At(Revision revision) const { return states_[static_cast<size_t>(revision) - 1]; }
  const std::string& EventAt(Revision revision) const {
    return events_[static_cast<size_t>(revision) - 1];
  }

  std::string Create(const std::string& key, const std::string& value) {
    if (now().contains(key)) return "already exists";
    return Put("create ", key, value);
  }
  std::string Update(const std::string& key, std::optional<Revision> expected,
                     const std::string& value) {
    const std::string refused = Check(key, expected);
    return refused.empty() ? Put("update ", key, value) : refused;
  }
  std::string Delete(const std::string& key, std::optional<Revision> expected) {
    const std::string refused = Check(key, expected);
    if (!refused.empty()) return refused;
    State next = now();
    next.erase(key);
    return Append("delete ", key, std::move(next));
  }

 private:
  std::string Check(const std::string& key, std::optional<Revision> expected) const {
    const auto it = now().find(key);
    if (it == now().end()) return "not found";
    return expected && *expected != it->second.mod_revision ? "conflict" : "";
  }
  std::string Put(const char* kind, const std::string& key, const std::string& value) {
    State next = now();
    next[key] = {revision() + 1, value};
    return Append(kind, key, std::move(next));
  }
  std::string Append(const char* kind, const std::string& key, State next) {
    states_.push_back(std::move(next));
    events_.push_back(kind + key + " " + std::to_string(revision()));
    return events_.back();
  }

  std::vector<State> states_;
  std::vector<std::string> events_;
};

// A key out of two small groups, so that most operations hit something.
std::string KeyOf(int number) {
  return (number % 2 == 0 ? "/p/" : "/q/ns/") + std::to_string(number / 2);
}

const char* const kScopes[] = {"", "/p/", "/q/", "/q/ns/", "/p/1"};

struct Open {
  Watcher watcher;
  std::string scope;
  Revision seen;
};

// One operation, out of plain numbers so that rapidcheck can shrink it.
using Op = std::tuple<int, int, int>;

// Runs operations on both and compares every answer.
class Comparison {
 public:
  void Run(const Op& op) {
    const auto& [kind, a, b] = op;
    switch (kind) {
      case 0:
      case 1: return Create(a);
      case 2:
      case 3: return Update(a, b);
      case 4: return Delete(a, b);
      case 5: return List(a, b);
      case 6: return Watch(a, b);
      case 7: return ReadWatches();
      case 8: return Compact(b);
      default: return Restart();
    }
  }

  void Finish() {
    ReadWatches();
    for (Revision revision = (*store_)->compacted(); revision <= model_.revision(); ++revision) {
      CompareList("", revision, 3);
    }
  }

 private:
  // The right revision, none, or a wrong one.
  std::optional<Revision> Expected(const std::string& key, int choice) const {
    const auto it = model_.now().find(key);
    const Revision right = it == model_.now().end() ? 7 : it->second.mod_revision;
    if (choice % 4 == 0) return std::nullopt;
    return choice % 4 == 1 ? right - 1 : right;
  }

  std::string NewValue() { return "value " + std::to_string(++values_); }

  void Create(int a) {
    const std::string value = NewValue();
    RC_ASSERT(Describe(store_->Create(KeyOf(a), value)) == model_.Create(KeyOf(a), value));
  }
  void Update(int a, int b) {
    const std::string key = KeyOf(a);
    const auto expected = Expected(key, b);
    const std::string value = NewValue();
    RC_ASSERT(Describe(store_->Update(key, expected, value)) ==
              model_.Update(key, expected, value));
  }
  void Delete(int a, int b) {
    const std::string key = KeyOf(a);
    const auto expected = Expected(key, b);
    RC_ASSERT(Describe(store_->Delete(key, expected)) == model_.Delete(key, expected));
  }

  Revision SomeRevision(int b) const { return 1 + b % model_.revision(); }

  void List(int a, int b) {
    const auto limit = static_cast<std::size_t>(a % 4);
    CompareList(kScopes[a % 5], SomeRevision(b), limit);
    RC_ASSERT((*store_)->revision() == model_.revision());
  }

  // Page after page.
  void CompareList(const std::string& scope, Revision revision, std::size_t limit) {
    std::string got;
    ListQuery query{.scope = scope, .limit = limit, .revision = revision};
    while (true) {
      const auto page = (*store_)->List(query);
      if (revision < (*store_)->compacted()) {
        RC_ASSERT(!page);
        RC_ASSERT(page.error().kind() == ErrorKind::kExpired);
        return;
      }
      for (const RecordPtr& r : page->records) {
        got += r->key + "@" + std::to_string(r->mod_revision) + "=" + r->value + " ";
      }
      if (!page->more) break;
      query.start_after = page->records.back()->key;
    }
    std::string want;
    for (const auto& [key, object] : model_.At(revision)) {
      if (!Covers(scope, key)) continue;
      want += key + "@" + std::to_string(object.mod_revision) + "=" + object.value + " ";
    }
    RC_ASSERT(got == want);
  }

  void Watch(int a, int b) {
    const std::string scope = kScopes[a % 5];
    const Revision after = SomeRevision(b);
    auto watcher = (*store_)->Watch(scope, after);
    RC_ASSERT(watcher.has_value() == (after >= (*store_)->compacted()));
    if (watcher) watches_.push_back({*std::move(watcher), scope, after});
  }

  void ReadWatches() {
    for (Open& open : watches_) {
      std::vector<std::string> want;
      bool lost = false;
      for (Revision r = open.seen + 1; r <= model_.revision(); ++r) {
        const std::string& event = model_.EventAt(r);
        if (!Covers(open.scope, KeyIn(event))) continue;
        lost = lost || r <= (*store_)->compacted();
        want.push_back(event);
      }
      if (lost) want = {"expired"};
      RC_ASSERT(ReadAll(open.watcher) == want);
      if (!lost) open.seen = model_.revision();
    }
  }

  static std::string KeyIn(const std::string& event) {
    const auto begin = event.find(' ') + 1;
    return event.substr(begin, event.find(' ', begin) - begin);
  }

  void Compact(int b) {
    const Revision revision = SomeRevision(b);
    RC_ASSERT(store_->Compact(revision).has_value());
    RC_ASSERT((*store_)->compacted() >= revision);
  }

  void Restart() {
    const Revision compacted = (*store_)->compacted();
    watches_.clear();
    store_.reset();
    Start();
    RC_ASSERT((*store_)->revision() == model_.revision());
    RC_ASSERT((*store_)->compacted() == compacted);
  }

  void Start() {
    store_.emplace(world_, platter_, SimulatedDisk::Script(), HistoryLimits{.max_changes = 12});
  }

  Model model_;
  VirtualWorld world_;
  Platter platter_{"cluster"};
  std::optional<VirtualStore> store_{std::in_place, world_, platter_, SimulatedDisk::Script(),
                                     HistoryLimits{.max_changes = 12}};
  std::vector<Open> watches_;
  int values_ = 0;
};

RC_GTEST_PROP(StoreModelTest, AgreesWithAModelThatKeepsEveryState, ()) {
  const auto ops = *rc::gen::container<std::vector<Op>>(
      rc::gen::tuple(rc::gen::inRange(0, 10), rc::gen::inRange(0, 10), rc::gen::inRange(0, 1000)));
  Comparison comparison;
  for (const Op& op : ops) comparison.Run(op);
  comparison.Finish();
}

}  // namespace
}  // namespace millwright::apiserver
