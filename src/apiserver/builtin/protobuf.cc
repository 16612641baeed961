#include "apiserver/builtin/protobuf.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <boost/json.hpp>

#include "apiserver/builtin/go_reader.h"
#include "apiserver/builtin/message.h"
#include "apiserver/builtin/table.h"
#include "apiserver/builtin/wire.h"

namespace millwright::apiserver {

namespace json = boost::json;
using builtin::WireReader;

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "k8s\0"sv;

struct Envelope {
  std::string_view api_version = "";
  std::string_view kind = "";
  std::string_view object = "";
};

Result<void> ReadTypeMeta(std::string_view message, Envelope& envelope) {
  for (WireReader reader(message); !reader.AtEnd();) {
    TRY(const auto field, reader.Next());
    if (field->number == 1) envelope.api_version = field->bytes;
    if (field->number == 2) envelope.kind = field->bytes;
  }
  return Ok();
}

// What Kubernetes calls runtime.Unknown.
Result<Envelope> ReadEnvelope(std::string_view message) {
  Envelope envelope;
  for (WireReader reader(message); !reader.AtEnd();) {
    TRY(const auto field, reader.Next());
    if (field->number == 1) CHECK_OK(ReadTypeMeta(field->bytes, envelope));
    if (field->number == 2) envelope.object = field->bytes;
    // An encoding or another content type of what is inside, which no client uses.
    if ((field->number == 3 || field->number == 4) && !field->bytes.empty()) {
      return Fail(ErrorKind::kInvalid, "the object inside of the body is encoded once more");
    }
  }
  return envelope;
}

}  // namespace

bool IsProtobuf(std::string_view body) { return body.starts_with(kMagic); }

Result<json::value> DecodeProtobuf(std::string_view body) {
  if (!IsProtobuf(body)) {
    return Fail(ErrorKind::kInvalid, "the body does not begin as a protobuf object does");
  }
  TRY(const Envelope envelope, ReadEnvelope(body.substr(kMagic.size())));
  // Options are of any version, so nothing else would notice.
  if (!simdjson::validate_utf8(envelope.api_version)) {
    return Fail(ErrorKind::kInvalid, "proto: a string is not valid UTF-8");
  }
  const auto kind = kube::ParseGroupVersionKind(envelope.api_version, envelope.kind);
  const builtin::Type* type = kind ? builtin::BuiltinTable().Find(*kind) : nullptr;
  if (type == nullptr) {
    return Fail(ErrorKind::kInvalid, fmt::format("no kind {:?} is registered for version {:?}",
                                                 envelope.kind, envelope.api_version));
  }
  json::object object;
  object["apiVersion"] = envelope.api_version;
  object["kind"] = envelope.kind;
  CHECK_OK(builtin::MessageReader().Read(*type, envelope.object, object));
  json::value value = std::move(object);
  CHECK_OK(builtin::GoReader().Read(*type, value));
  return value;
}

}  // namespace millwright::apiserver
