#include "kube/cel/field_path.h"

#include "kube/api/schema_error.h"

namespace millwright::kube::cel {

namespace {

class PathReader {
 public:
  PathReader(const Schema& schema, std::string_view text) : schema_(&schema), text_(text) {}

  std::optional<std::string> Run() {
    while (!text_.empty()) {
      const auto name = text_[0] == '[' ? QuotedName() : PlainName();
      if (!name || !Enter(*name)) return std::nullopt;
    }
    return std::move(path_);
  }

 private:
  std::optional<std::string> PlainName() {
    if (text_[0] != '.') return std::nullopt;
    text_.remove_prefix(1);
    const std::string_view name = text_.substr(0, text_.find_first_of(".[]"));
    if (name.empty()) return std::nullopt;
    text_.remove_prefix(name.size());
    return std::string(name);
  }

  // ['name'], in which a backslash escapes what follows it.
  std::optional<std::string> QuotedName() {
    if (!text_.starts_with("['")) return std::nullopt;
    text_.remove_prefix(2);
    std::string name;
    while (!text_.empty() && text_[0] != '\'') {
      if (text_[0] != '\\') {
        name += text_[0];
      } else if (text_.size() > 1 && !Unescape(text_[1], name)) {
        return std::nullopt;
      }
      text_.remove_prefix(text_[0] == '\\' && text_.size() > 1 ? 2 : 1);
    }
    if (!text_.starts_with("']")) return std::nullopt;
    text_.remove_prefix(2);
    return name;
  }

  static bool Unescape(char letter, std::string& name) {
    static constexpr std::string_view kLetters = "abfnrtv'\\";
    static constexpr std::string_view kCodes = "\a\b\f\n\r\t\v'\\";
    const auto at = kLetters.find(letter);
    if (at == std::string_view::npos) return false;
    name += kCodes[at];
    return true;
  }

  bool Enter(const std::string& name) {
    if (!schema_->properties.empty()) {
      const auto found = schema_->properties.find(name);
      if (found == schema_->properties.end()) return false;
      path_ = PathChild(path_, name);
      schema_ = found->second.get();
      return true;
    }
    if (!schema_->additional) return false;
    path_ = PathKey(path_, name);
    schema_ = schema_->additional.get();
    return true;
  }

  const Schema* schema_;
  std::string_view text_;
  std::string path_;
};

}  // namespace

std::optional<std::string> NormalizeFieldPath(const Schema& schema, std::string_view path) {
  return PathReader(schema, path).Run();
}

}  // namespace millwright::kube::cel
