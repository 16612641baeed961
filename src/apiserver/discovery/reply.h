// Small answers to requests that are not about objects. Pure.
#pragma once

#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/discovery/accept.h"
#include "net/http.h"
#include "net/url.h"

namespace millwright::apiserver {

// As JSON or YAML; with line breaks for people (?pretty=true, or a request by curl or a browser).
net::HttpResponse Reply(const net::HttpRequest& request, const net::Target& target,
                        DiscoveryForm form, const boost::json::value& document);

// JSON with line breaks for everybody.
net::HttpResponse ReplyIndented(const boost::json::value& document);

net::HttpResponse PageNotFound();

// Refusals with a Status.
net::HttpResponse NoSuchVersion();
net::HttpResponse NotGet();
net::HttpResponse NoAcceptableForm();

}  // namespace millwright::apiserver
