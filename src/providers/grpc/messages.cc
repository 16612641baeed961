#include "providers/grpc/messages.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "providers/grpc/wire.h"

namespace millwright::providers::grpc {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

// What was begun is asked about neither in a hot loop nor never.
constexpr Duration kSoonest = milliseconds(100);
constexpr Duration kLatest = hours(1);

// Texts of an answer go into objects of a cluster, which are JSON.
Result<std::string> TextOf(const WireField& field) {
  const std::string_view text = field.bytes;
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return Fail(ErrorKind::kInternal, fmt::format("text in field {} is not UTF-8", field.number));
  }
  return std::string(text);
}

struct SecondsAndNanos {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;
};

// google.protobuf.Duration and Timestamp look alike.
Result<SecondsAndNanos> DecodeTime(std::string_view message) {
  TRY(const auto fields, ReadFields(message));
  SecondsAndNanos time;
  for (const WireField& field : fields) {
    if (field.is_bytes) continue;
    if (field.number == 1) time.seconds = static_cast<std::int64_t>(field.value);
    if (field.number == 2) time.nanos = static_cast<std::int32_t>(field.value);
  }
  // Far beyond any use, and small enough to count in nanoseconds.
  constexpr std::int64_t kMost = 8'000'000'000;
  const bool sane = time.seconds >= -kMost && time.seconds <= kMost &&
                    time.nanos > -1'000'000'000 && time.nanos < 1'000'000'000;
  if (!sane) return Fail(ErrorKind::kInternal, "a time that makes no sense");
  return time;
}

Result<Duration> DecodePending(std::string_view message) {
  TRY(const auto fields, ReadFields(message));
  Duration after = kSoonest;
  for (const WireField& field : fields) {
    if (field.number != 1 || !field.is_bytes) continue;
    TRY(const auto time, DecodeTime(field.bytes));
    after = seconds(time.seconds) + nanoseconds(time.nanos);
  }
  return std::clamp(after, kSoonest, kLatest);
}

Result<Address> DecodeAddress(std::string_view message) {
  TRY(const auto fields, ReadFields(message));
  Address address;
  for (const WireField& field : fields) {
    if (!field.is_bytes) continue;
    if (field.number == 1) {
      TRY(address.type, TextOf(field));
    } else if (field.number == 2) {
      TRY(address.address, TextOf(field));
    }
  }
  return address;
}

Result<void> TakeField(const WireField& field, Instance& instance) {
  if (!field.is_bytes) {
    if (field.number == 7) instance.needs_initialize = field.value != 0;
    return Ok();
  }
  switch (field.number) {
    case 1: {
      TRY(instance.id, TextOf(field));
      break;
    }
    case 2: {
      TRY(instance.node, TextOf(field));
      break;
    }
    case 3: {
      TRY(instance.machine, TextOf(field));
      break;
    }
    case 4: {
      TRY(std::string uid, TextOf(field));
      instance.machine_uid = Uid(std::move(uid));
      break;
    }
    case 5: {
      TRY(Address address, DecodeAddress(field.bytes));
      instance.addresses.push_back(std::move(address));
      break;
    }
    case 6: {
      TRY(const auto time, DecodeTime(field.bytes));
      instance.made = WallTime(seconds(time.seconds) + nanoseconds(time.nanos));
      break;
    }
    default: break;
  }
  return Ok();
}

Result<Instance> DecodeOne(std::string_view message) {
  TRY(const auto fields, ReadFields(message));
  Instance instance;
  for (const WireField& field : fields) CHECK_OK(TakeField(field, instance));
  if (instance.id.empty()) return Fail(ErrorKind::kInternal, "an instance without provider_id");
  return instance;
}

Result<Instance> DecodeOneOf(std::string_view message, const std::string& machine) {
  TRY(Instance instance, DecodeOne(message));
  if (instance.machine.empty()) instance.machine = machine;
  if (instance.node.empty()) instance.node = machine;
  return instance;
}

WireWriter Machine(const MachineIdentity& machine) {
  WireWriter out;
  out.Text(1, machine.uid.str());
  out.Text(2, machine.name);
  out.Text(3, machine.namespace_);
  out.Text(4, machine.instance);
  return out;
}

WireWriter Class(const ClassCall& of) {
  WireWriter out;
  out.Text(1, of.instance_class.name);
  out.Text(2, of.provider);
  out.Text(3, of.instance_class.provider_spec);
  return out;
}

// How requests about one machine begin.
WireWriter About(const ClassCall& of, const MachineIdentity& machine) {
  WireWriter out;
  out.Message(1, Machine(machine));
  out.Message(2, Class(of));
  out.SecretMap(3, of.instance_class.secrets);
  return out;
}

// The value of an Any that holds an ErrorDetail.
Result<std::optional<std::string_view>> ErrorDetailIn(std::string_view any) {
  TRY(const auto fields, ReadFields(any));
  bool ours = false;
  std::string_view value;
  for (const WireField& field : fields) {
    if (field.number == 1) ours = field.bytes.ends_with("/millwright.provider.v1.ErrorDetail");
    if (field.number == 2) value = field.bytes;
  }
  if (!ours) return std::nullopt;
  return std::optional(value);
}

Result<std::optional<std::string>> RememberedIn(std::string_view status_details) {
  TRY(const auto status, ReadFields(status_details));
  for (const WireField& field : status) {
    if (field.number != 3 || !field.is_bytes) continue;
    TRY(const auto detail, ErrorDetailIn(field.bytes));
    if (!detail) continue;
    TRY(const auto parts, ReadFields(*detail));
    for (const WireField& part : parts) {
      if (part.number != 1 || !part.is_bytes) continue;
      TRY(std::string kept, TextOf(part));
      return std::optional(std::move(kept));
    }
  }
  return std::nullopt;
}

}  // namespace

std::string EncodeCreate(const ClassCall& of, const CreateRequest& request) {
  WireWriter out = About(of, request.machine);
  out.Text(4, request.user_data.Reveal());
  out.Text(5, request.remembered);
  return std::move(out).Take();
}

std::string EncodeDelete(const ClassCall& of, const MachineIdentity& machine) {
  return About(of, machine).Take();
}

std::string EncodeList(const ClassCall& of, std::uint32_t page_size, std::string_view page_token) {
  WireWriter out;
  out.Message(1, Class(of));
  out.SecretMap(2, of.instance_class.secrets);
  out.Number(3, page_size);
  out.Text(4, page_token);
  return std::move(out).Take();
}

std::string EncodeGetVolumeIds(const ClassCall& of, const std::vector<std::string>& specs) {
  WireWriter out;
  out.Message(1, Class(of));
  out.SecretMap(2, of.instance_class.secrets);
  for (const std::string& spec : specs) out.Item(3, spec);
  return std::move(out).Take();
}

Result<ProviderInfo> DecodeInfo(std::string_view message) {
  TRY(const auto fields, ReadFields(message));
  ProviderInfo info;
  for (const WireField& field : fields) {
    if (!field.is_bytes) continue;
    TRY(std::string text, TextOf(field));
    if (field.number == 1) info.name = std::move(text);
    if (field.number == 2) info.version = std::move(text);
    if (field.number == 3) info.providers.push_back(std::move(text));
  }
  return info;
}

Result<Abilities> DecodeAbilities(std::string_view message) {
  TRY(const auto fields, ReadFields(message));
  std::vector<std::uint64_t> numbers;
  for (const WireField& field : fields) {
    if (field.number != 1) continue;
    if (!field.is_bytes) {
      numbers.push_back(field.value);
      continue;
    }
    TRY(const auto packed, ReadNumbers(field.bytes));
    numbers.insert(numbers.end(), packed.begin(), packed.end());
  }
  const auto has = [&](std::uint64_t number) {
    return std::ranges::find(numbers, number) != numbers.end();
  };
  return Abilities{.initialize = has(1), .status = has(2), .list = has(3), .volume_ids = has(4)};
}

Result<Instance> DecodeCreated(std::string_view message, const std::string& machine) {
  TRY(const auto fields, ReadFields(message));
  std::optional<Instance> outcome;
  std::optional<std::string> remember;
  for (const WireField& field : fields) {
    if (!field.is_bytes) continue;
    if (field.number == 1) {
      TRY(outcome, DecodeOneOf(field.bytes, machine));
    } else if (field.number == 2) {
      TRY(const Duration after, DecodePending(field.bytes));
      outcome = Instance{.machine = machine, .pending = after};
    } else if (field.number == 3) {
      TRY(remember, TextOf(field));
    }
  }
  if (!outcome) return Fail(ErrorKind::kInternal, "neither an instance nor one that is on its way");
  outcome->remember = std::move(remember);
  return *std::move(outcome);
}

Result<Instance> DecodeInstance(std::string_view message, const std::string& machine) {
  TRY(const auto fields, ReadFields(message));
  for (const WireField& field : fields) {
    if (field.number == 1 && field.is_bytes) return DecodeOneOf(field.bytes, machine);
  }
  return Fail(ErrorKind::kInternal, "no instance");
}

Result<std::optional<Duration>> DecodeDeleted(std::string_view message) {
  TRY(const auto fields, ReadFields(message));
  std::optional<Duration> again;
  for (const WireField& field : fields) {
    if (field.number != 1 || !field.is_bytes) continue;
    TRY(again, DecodePending(field.bytes));
  }
  return again;
}

Result<InstancePage> DecodePage(std::string_view message) {
  TRY(const auto fields, ReadFields(message));
  InstancePage page;
  for (const WireField& field : fields) {
    if (!field.is_bytes) continue;
    if (field.number == 1) {
      TRY(Instance instance, DecodeOne(field.bytes));
      page.instances.push_back(std::move(instance));
    } else if (field.number == 2) {
      TRY(page.next, TextOf(field));
    }
  }
  return page;
}

Result<std::vector<std::string>> DecodeVolumeIds(std::string_view message) {
  TRY(const auto fields, ReadFields(message));
  std::vector<std::string> ids;
  for (const WireField& field : fields) {
    if (field.number != 1 || !field.is_bytes) continue;
    TRY(std::string id, TextOf(field));
    ids.push_back(std::move(id));
  }
  return ids;
}

std::optional<std::string> DecodeRemembered(std::string_view status_details) {
  const auto remembered = RememberedIn(status_details);
  return remembered ? *remembered : std::nullopt;
}

}  // namespace millwright::providers::grpc
