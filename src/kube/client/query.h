// A query string in the making.
#pragma once

#include <string>
#include <string_view>

namespace millwright::kube {

class Query {
 public:
  void Add(std::string_view name, std::string_view value);
  void AddIfSet(std::string_view name, std::string_view value) {
    if (!value.empty()) Add(name, value);
  }

  // With its leading "?", or nothing.
  const std::string& Text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace millwright::kube
