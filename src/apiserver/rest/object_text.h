// The text in which the store keeps an object, and what can be made of it without reading it all.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "apiserver/store/record.h"
#include "apiserver/store/staging.h"

namespace millwright::apiserver {

// apiVersion and kind first, so that they can be exchanged or left out by cutting at the front.
std::string WriteObject(const boost::json::value& object);

// For the store: writes the object with its new metadata.resourceVersion.
ValueBuilder VersionedText(boost::json::value object);

// The object in the version of the resource. Objects are stored in the kind's storage version; the
// versions of a kind differ in nothing but their name.
std::string InVersion(const Record& record, const Resource& resource);

// The object as an item of a list. Built-in lists say the kind once, for all items.
void AppendItem(const Record& record, const Resource& resource, std::string& list);

// The text of metadata.resourceVersion for a revision.
std::string VersionText(Revision revision);

// Puts a resourceVersion into an object, or takes it out if it is empty.
void SetResourceVersion(boost::json::value& object, std::string_view version);

}  // namespace millwright::apiserver
