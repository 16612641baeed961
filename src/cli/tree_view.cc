#include "cli/tree_view.h"

#include <boost/json/object.hpp>

#include "cli/age.h"

namespace millwright::cli {

namespace json = boost::json;

namespace {

struct Lines {
  std::string_view branch, last, passing, nothing;
};

constexpr Lines kBox = {"├─ ", "└─ ", "│  ", "   "};
constexpr Lines kAscii = {"|- ", "`- ", "|  ", "   "};

using Rows = std::vector<std::vector<Cell>>;

class Drawer {
 public:
  Drawer(const TreeStyle& style, WallTime now) : style_(style), now_(now) {}

  // `above` is what the lines of the items above leave in front of it.
  void Draw(const TreeItem& item, const std::string& lead, const std::string& above) {
    std::vector<Cell> row = {{lead + Title(item, above.empty() && lead.empty())},
                             {item.ready},
                             {item.state, item.mood},
                             {item.created == WallTime() ? "" : AgeSince(item.created, now_)}};
    if (style_.wide) row.push_back({item.detail});
    row.push_back({item.message});
    rows_.push_back(std::move(row));
    const Lines& lines = style_.box_lines ? kBox : kAscii;
    for (const TreeItem& child : item.children) {
      const bool last = &child == &item.children.back();
      Draw(child, above + std::string(last ? lines.last : lines.branch),
           above + std::string(last ? lines.nothing : lines.passing));
    }
  }

  std::string Finish() const {
    Rows rows = {{{"NAME"}, {"READY"}, {"STATUS"}, {"AGE"}}};
    if (style_.wide) rows[0].push_back({"DETAIL"});
    rows[0].push_back({"MESSAGE"});
    rows.insert(rows.end(), rows_.begin(), rows_.end());
    return RenderTable(rows, style_.table);
  }

 private:
  std::string Title(const TreeItem& item, bool root) const {
    std::string title = item.kind + "/";
    if (style_.namespaces && root && !item.namespace_.empty()) title += item.namespace_ + "/";
    return title + item.name;
  }

  const TreeStyle& style_;
  const WallTime now_;
  Rows rows_;
};

}  // namespace

std::string RenderTree(std::span<const TreeItem> items, const TreeStyle& style, WallTime now) {
  Drawer drawer(style, now);
  for (const TreeItem& item : items) drawer.Draw(item, "", "");
  return drawer.Finish();
}

json::array TreeJson(std::span<const TreeItem> items) {
  json::array list;
  for (const TreeItem& item : items) {
    json::object object{{"kind", item.kind}, {"name", item.name}, {"status", item.state}};
    if (!item.namespace_.empty()) object["namespace"] = item.namespace_;
    if (!item.ready.empty()) object["ready"] = item.ready;
    if (item.created != WallTime()) object["created"] = FormatTime(item.created);
    if (!item.message.empty()) object["message"] = item.message;
    if (!item.detail.empty()) object["detail"] = item.detail;
    if (!item.children.empty()) object["children"] = TreeJson(item.children);
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace millwright::cli
