// A VolumeAttachment: which persistent volume is, or is to be, at which node.
#pragma once

#include <string>

#include "kube/projection/meta.h"

namespace millwright::controllers {

struct AttachmentRecord {
  kube::Meta meta;
  std::string node;
  std::string volume;  // the PersistentVolume's name; empty: the volume is not one
  bool attached = false;

  friend bool operator==(const AttachmentRecord&, const AttachmentRecord&) = default;
};

Result<AttachmentRecord> ReadAttachment(kube::JsonObject attachment);

}  // namespace millwright::controllers
