// Large answers travel compressed, as those of a kube-apiserver.
#pragma once

#include <string_view>

#include "net/http.h"

namespace millwright::apiserver {

bool AcceptsGzip(std::string_view accept_encoding);

// Compresses a body that is large enough to gain by it and is not compressed already.
void CompressBody(net::HttpResponse& response);

}  // namespace millwright::apiserver
