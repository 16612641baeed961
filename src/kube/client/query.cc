#include "kube/client/query.h"

#include "net/url.h"

namespace millwright::kube {

void Query::Add(std::string_view name, std::string_view value) {
  text_ += text_.empty() ? '?' : '&';
  text_ += net::PercentEncode(name);
  text_ += '=';
  text_ += net::PercentEncode(value);
}

}  // namespace millwright::kube
