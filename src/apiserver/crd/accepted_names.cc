#include "apiserver/crd/accepted_names.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/crd/definition.h"
#include "kube/api/json_text.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

struct Names {
  std::string plural;
  std::string singular;
  std::vector<std::string> short_names;
  std::string kind;
  std::string list_kind;
  std::vector<std::string> categories;

  friend bool operator==(const Names&, const Names&) = default;
};

Names NamesAt(const json::value& crd, const std::string& path) {
  const auto text = [&](const char* name) {
    return std::string(kube::GetString(crd, path + name));
  };
  return {.plural = text(".plural"),
          .singular = text(".singular"),
          .short_names = TextsAt(crd, path + ".shortNames"),
          .kind = text(".kind"),
          .list_kind = text(".listKind"),
          .categories = TextsAt(crd, path + ".categories")};
}

// In the order of the Go type, empty ones left out where it leaves them out.
json::object ToJson(const Names& names) {
  json::object object{{"plural", names.plural}};
  if (!names.singular.empty()) object["singular"] = names.singular;
  if (!names.short_names.empty()) {
    object["shortNames"] = json::array(names.short_names.begin(), names.short_names.end());
  }
  object["kind"] = names.kind;
  if (!names.list_kind.empty()) object["listKind"] = names.list_kind;
  if (!names.categories.empty()) {
    object["categories"] = json::array(names.categories.begin(), names.categories.end());
  }
  return object;
}

using Taken = std::set<std::string, std::less<>>;

// Refuses one name after the other; of several refusals the last is shown, as a real server does.
class Referee {
 public:
  void Judge(const std::string& wished, std::string& accepted, const Taken& taken,
             const char* reason) {
    if (wished == accepted || !taken.contains(wished)) {
      accepted = wished;
    } else {
      Refuse(reason, InUse(wished));
    }
  }

  void JudgeShortNames(const std::vector<std::string>& wished, std::vector<std::string>& accepted,
                       const Taken& taken) {
    std::vector<std::string> complaints;
    for (const std::string& name : wished) {
      const bool ours = std::ranges::find(accepted, name) != accepted.end();
      if (ours || !taken.contains(name)) continue;
      const std::string complaint = InUse(name);
      if (std::ranges::find(complaints, complaint) == complaints.end()) {
        complaints.push_back(complaint);
      }
    }
    if (complaints.empty()) {
      accepted = wished;
      return;
    }
    Refuse("ShortNamesConflict", complaints.size() == 1
                                     ? complaints.front()
                                     : fmt::format("[{}]", fmt::join(complaints, ", ")));
  }

  CrdCondition condition() const { return condition_; }

 private:
  static std::string InUse(const std::string& name) {
    return kube::QuotedText(name) + " is already in use";
  }

  void Refuse(const char* reason, std::string message) {
    condition_.status = "False";
    condition_.reason = reason;
    condition_.message = std::move(message);
  }

  CrdCondition condition_{.type = "NamesAccepted",
                          .status = "True",
                          .reason = "NoConflicts",
                          .message = "no conflicts found"};
};

CrdCondition Established(const json::value& crd, bool names_accepted) {
  CrdCondition condition{.type = "Established",
                         .status = "False",
                         .reason = "NotAccepted",
                         .message = "not all names are accepted"};
  if (const json::value* old = FindCondition(crd, "Established")) {
    condition.status = kube::GetString(*old, "status");
    condition.reason = kube::GetString(*old, "reason");
    condition.message = kube::GetString(*old, "message");
  }
  if (condition.status == "True" || !names_accepted) return condition;
  return {.type = "Established",
          .status = "False",
          .reason = "Installing",
          .message = "the initial names have been accepted"};
}

}  // namespace

void TakenNames::Add(const json::value& crd) {
  const Names names = NamesAt(crd, "status.acceptedNames");
  resources.insert({names.plural, names.singular});
  resources.insert(names.short_names.begin(), names.short_names.end());
  kinds.insert({names.kind, names.list_kind});
}

std::optional<NamesOutcome> DecideNames(const json::value& crd, const TakenNames& taken) {
  const Names wished = NamesAt(crd, "spec.names");
  const Names before = NamesAt(crd, "status.acceptedNames");
  if (wished == before) return std::nullopt;
  Names now = before;
  Referee referee;
  referee.Judge(wished.plural, now.plural, taken.resources, "PluralConflict");
  referee.Judge(wished.singular, now.singular, taken.resources, "SingularConflict");
  referee.JudgeShortNames(wished.short_names, now.short_names, taken.resources);
  referee.Judge(wished.kind, now.kind, taken.kinds, "KindConflict");
  referee.Judge(wished.list_kind, now.list_kind, taken.kinds, "ListKindConflict");
  now.categories = wished.categories;
  const CrdCondition condition = referee.condition();
  if (now == before && HasCondition(crd, condition)) return std::nullopt;
  return NamesOutcome{.accepted = ToJson(now),
                      .names_accepted = condition,
                      .established = Established(crd, condition.status == "True")};
}

}  // namespace millwright::apiserver
