// A document as the server keeps and sends it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resources/resource.h"
#include "net/http.h"

namespace millwright::apiserver {

struct Document {
  std::string media_type;
  std::string digest;   // of the plain text
  std::string text;     // gzip if `packed`
  bool packed = false;  // only what is large: these documents shrink to a twentieth
};

Document MakeDocument(std::string_view media_type, std::string text);

// The plain text again.
std::string Unpack(const Document& document);

// 304 if the client has it (If-None-Match); compressed if it was kept so and the client takes it.
net::HttpResponse Respond(const Document& document, const net::HttpRequest& request);

// Documents by a key, each kept while the resources that it was made of stay the same ones.
class DocumentCache {
 public:
  using Resources = std::vector<ResourcePtr>;
  using Make = std::function<Document()>;

  // Valid until the next call.
  const Document& Get(const std::string& key, Resources made_of, const Make& make);

  // Forgets those whose key nobody will ask for again.
  void KeepOnly(const std::function<bool(const std::string& key)>& wanted);

 private:
  struct Entry {
    Resources made_of;
    Document document;
  };

  std::map<std::string, Entry> entries_;
};

}  // namespace millwright::apiserver
