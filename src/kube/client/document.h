// An object as the server sent it, read only as far as somebody asks.
#pragma once

#include <boost/json/value.hpp>

#include <string>

#include "kube/api/object.h"
#include "kube/projection/meta.h"

namespace millwright::kube {

class Document {
 public:
  Document() = default;
  explicit Document(std::string text) : text_(std::move(text)) {}

  const std::string& text() const { return text_; }

  // Identity and version, without building a tree.
  Result<Meta> ReadMeta() const;

  // The whole object; costs several times its text in memory, so not for what is kept.
  Result<boost::json::value> Tree() const;

 private:
  std::string text_;
};

}  // namespace millwright::kube
