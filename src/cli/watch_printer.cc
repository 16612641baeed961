#include "cli/watch_printer.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <boost/json/serialize.hpp>

#include "kube/projection/meta.h"

namespace millwright::cli {

namespace {

// On one line, however it was written: a line is an object to who reads us.
Result<std::string> OnOneLine(std::string_view json) {
  std::string line(json.size(), '\0');
  std::size_t size = 0;
  if (const auto code = simdjson::minify(json.data(), json.size(), line.data(), size)) {
    return Failure(kube::JsonError(code));
  }
  line.resize(size);
  return line;
}

Result<std::pair<std::string_view, kube::Meta>> Read(kube::JsonObject object) {
  std::string_view raw;
  if (const auto code = object.raw_json().get(raw)) return Failure(kube::JsonError(code));
  TRY(kube::Meta meta, kube::ReadObjectMeta(raw));
  return std::pair(raw, std::move(meta));
}

// A version that cannot be compared is news unless it is the same.
bool IsNewer(const kube::ResourceVersion& arrived, const kube::ResourceVersion& shown) {
  if (arrived.empty()) return true;
  const auto order = kube::CompareResourceVersions(arrived, shown);
  return order == std::partial_ordering::greater || order == std::partial_ordering::unordered;
}

// All that is known of an object that went unseen.
std::string NamesOnly(const kube::Meta& meta) {
  boost::json::object metadata{{"name", meta.key.name}};
  if (!meta.key.namespace_.empty()) metadata["namespace"] = meta.key.namespace_;
  metadata["resourceVersion"] = meta.resource_version.str();
  return boost::json::serialize(boost::json::object{{"metadata", std::move(metadata)}});
}

}  // namespace

void WatchPrinter::StartOver() {
  for (auto& [key, version] : shown_) version = {};
}

void WatchPrinter::EndList(const kube::ResourceVersion& version) {
  const auto there = std::exchange(listed_now_, std::nullopt);
  std::erase_if(shown_, [&](const auto& shown) {
    if (!there || there->contains(shown.first)) return false;
    const kube::Meta meta{.key = shown.first, .resource_version = shown.second};
    static_cast<void>(Print("GONE", NamesOnly(meta), meta));
    return true;
  });
  const bool first = !std::exchange(listed_, true);
  if (first && !format_.once && !format_.json) {
    std::fprintf(notes_, "-- %zu so far, at version %s; watching (Ctrl-C ends)\n", printed_,
                 version.str().c_str());
  }
  Flush();
  changed_.NotifyAll();
}

Result<kube::ResourceVersion> WatchPrinter::Upsert(kube::JsonObject object) {
  TRY(const auto read, Read(object));
  const auto& [raw, meta] = read;
  if (listed_now_) listed_now_->insert(meta.key);
  const auto [shown, fresh] = shown_.try_emplace(meta.key, meta.resource_version);
  if (!fresh && !IsNewer(meta.resource_version, shown->second)) return meta.resource_version;
  shown->second = meta.resource_version;
  return Print(listed_ ? "CHANGED" : "THERE", raw, meta);
}

Result<kube::ResourceVersion> WatchPrinter::Remove(kube::JsonObject object) {
  TRY(const auto read, Read(object));
  const auto& [raw, meta] = read;
  if (listed_now_) listed_now_->erase(meta.key);
  shown_.erase(meta.key);
  return Print("GONE", raw, meta);
}

Result<kube::ResourceVersion> WatchPrinter::Print(const char* event, std::string_view raw,
                                                  const kube::Meta& meta) {
  if (format_.json) {
    TRY(const std::string line, OnOneLine(raw));
    std::fprintf(out_,
                 R"({"event":"%s","object":%s})"
                 "\n",
                 event, line.c_str());
  } else {
    PrintColumns(event, meta);
  }
  ++printed_;
  if (listed_) Flush();
  return meta.resource_version;
}

void WatchPrinter::PrintColumns(const char* event, const kube::Meta& meta) {
  constexpr const char* kColumns = "%-21s %-8s %-12s %s\n";
  if (printed_ == 0) std::fprintf(out_, kColumns, "TIME", "EVENT", "VERSION", "OBJECT");
  std::fprintf(out_, kColumns, FormatTime(clock_.Now()).c_str(), event,
               meta.resource_version.str().c_str(), meta.key.ToString().c_str());
}

void WatchPrinter::Flush() {
  if (write_error_ != 0) return;
  errno = 0;
  if (std::fflush(out_) == 0 && std::ferror(out_) == 0) return;
  write_error_ = errno != 0 ? errno : EIO;
  changed_.NotifyAll();
}

Task<void> WatchPrinter::WaitDone() {
  while (!IsDone()) {
    if (co_await changed_.Wait() == Wake::kCancelled) co_return;
  }
}

std::optional<Error> WatchPrinter::problem() const {
  if (write_error_ == 0 || write_error_ == EPIPE) return std::nullopt;
  return Error(ErrorKind::kUnavailable,
               std::string("cannot write the output: ") + std::strerror(write_error_));
}

}  // namespace millwright::cli
