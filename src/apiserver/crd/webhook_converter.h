// Conversion by a webhook, as a CustomResourceDefinition asks for it.
#pragma once

#include <memory>

#include <boost/json/value.hpp>

#include "apiserver/resources/converter.h"
#include "apiserver/webhooks/calls.h"

namespace millwright::apiserver {

// Null if the versions of the definition differ in nothing but their name.
std::shared_ptr<Converter> ConverterOf(const boost::json::value& crd, const WebhookCalls& calls);

}  // namespace millwright::apiserver
