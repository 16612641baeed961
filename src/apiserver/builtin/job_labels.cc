#include "apiserver/builtin/job_labels.h"

#include <string_view>

#include <boost/json.hpp>

#include "apiserver/builtin/json_edit.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

void LabelJob(json::object& job) {
  MakeObject(job, "metadata");  // so that the job does not grow below
  json::object& spec = MakeObject(job, "spec");
  if (IsTrue(spec, "manualSelector")) return;
  json::object& metadata = MakeObject(job, "metadata");
  const json::value name(TextOf(metadata, "name"));
  const json::value uid(TextOf(metadata, "uid"));

  json::object& template_metadata = MakeObject(MakeObject(spec, "template"), "metadata");
  const json::object* own = ObjectOf(metadata, "labels");
  const json::object* before = ObjectOf(template_metadata, "labels");
  // A job without labels of its own has those of its template, now and then.
  const bool shared = own == nullptr || (before != nullptr && *own == *before);

  json::object& labels = MakeObject(template_metadata, "labels");
  for (const char* label : {"job-name", "batch.kubernetes.io/job-name"}) {
    if (!labels.contains(label)) labels[label] = name;
  }
  for (const char* label : {"controller-uid", "batch.kubernetes.io/controller-uid"}) {
    if (!labels.contains(label)) labels[label] = uid;
  }
  if (shared) metadata["labels"] = labels;
  json::object& selected = MakeObject(MakeObject(spec, "selector"), "matchLabels");
  if (!selected.contains("batch.kubernetes.io/controller-uid")) {
    selected["batch.kubernetes.io/controller-uid"] = uid;
  }
}

}  // namespace millwright::apiserver::builtin
