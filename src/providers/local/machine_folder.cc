#include "providers/local/machine_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <boost/json.hpp>

#include <cerrno>
#include <fstream>
#include <sstream>

#include "providers/cloud.h"
#include "providers/local/system_failure.h"

namespace millwright::providers {

namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

std::optional<json::object> ReadJson(const fs::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  boost::system::error_code error;
  const json::value value = json::parse(text.view(), error);
  if (error || !value.is_object()) return std::nullopt;
  return value.get_object();
}

std::string TextAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::int64_t NumberAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

}  // namespace

bool MachineFolder::Exists() const {
  std::error_code error;
  return fs::is_directory(path_, error);
}

std::optional<MachineRecord> MachineFolder::ReadRecord() const {
  const auto object = ReadJson(path_ / "machine.json");
  if (!object) return std::nullopt;
  MachineRecord record{.name = TextAt(*object, "name"),
                       .namespace_ = TextAt(*object, "namespace"),
                       .uid = Uid(TextAt(*object, "uid")),
                       .class_name = TextAt(*object, "class"),
                       .made = {}};
  if (const auto made = ParseTime(TextAt(*object, "made"))) record.made = *made;
  return record;
}

std::optional<ProcessId> MachineFolder::ReadProcess() const {
  const auto object = ReadJson(path_ / "process.json");
  if (!object) return std::nullopt;
  return ProcessId{.pid = static_cast<pid_t>(NumberAt(*object, "pid")),
                   .began = static_cast<std::uint64_t>(NumberAt(*object, "began")),
                   .boot = TextAt(*object, "boot")};
}

Result<void> MachineFolder::WriteRecord(const MachineRecord& record) const {
  json::object object{{"name", record.name},
                      {"namespace", record.namespace_},
                      {"uid", record.uid.str()},
                      {"class", record.class_name}};
  if (record.made) object["made"] = FormatTime(*record.made);
  return WriteFile("machine.json", json::serialize(object));
}

Result<void> MachineFolder::WriteProcess(const ProcessId& process) const {
  const json::object object{{"pid", process.pid},
                            {"began", static_cast<std::int64_t>(process.began)},
                            {"boot", process.boot}};
  return WriteFile("process.json", json::serialize(object));
}

void MachineFolder::ForgetProcess() const {
  std::error_code ignored;
  fs::remove(path_ / "process.json", ignored);
}

Result<void> MachineFolder::WriteUserData(std::string_view text) const {
  return WriteFile("user-data", text);
}

// Whole or not at all to whoever reads it. Not synced: after a loss of power there is no process to
// be found again.
Result<void> MachineFolder::WriteFile(std::string_view name, std::string_view text) const {
  const fs::path path = path_ / name;
  const fs::path draft = path.string() + ".new";
  std::error_code ignored;
  fs::remove(draft, ignored);  // of a crash, perhaps with another mode
  Descriptor file(::open(draft.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW,
                         S_IRUSR | S_IWUSR));
  if (!file.is_open()) return SystemFailure("writing " + draft.string(), errno);
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemFailure("writing " + draft.string(), errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  file.Close();
  if (::rename(draft.c_str(), path.c_str()) != 0) {
    return SystemFailure("writing " + path.string(), errno);
  }
  return Ok();
}

Result<void> MachineFolder::ClearState() const {
  std::error_code error;
  fs::remove_all(state(), error);
  if (!error) fs::remove(log(), error);
  if (error) return SystemFailure("clearing " + state().string(), error.value());
  if (::mkdir(state().c_str(), S_IRWXU) != 0) {
    return SystemFailure("making " + state().string(), errno);
  }
  return Ok();
}

Result<void> MachineFolder::Delete() const {
  std::error_code error;
  fs::remove_all(path_, error);
  if (error) return SystemFailure("deleting " + path_.string(), error.value());
  return Ok();
}

Result<std::optional<Descriptor>> LockIfThere(const MachineFolder& folder) {
  const char* path = folder.path().c_str();
  Descriptor lock(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.is_open() && errno == ENOENT) return std::nullopt;
  if (!lock.is_open()) return SystemFailure("opening " + folder.path().string(), errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return SystemFailure("locking " + folder.path().string(), errno);
    return FailCloud(core::CloudCode::kAborted,
                     "somebody is at work on " + folder.path().filename().string());
  }
  // It may have been deleted, and another made, between the two.
  struct stat ours{};
  struct stat named{};
  const bool same = ::fstat(lock.get(), &ours) == 0 && ::stat(path, &named) == 0 &&
                    ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
  if (!same) return std::nullopt;
  return lock;
}

Result<Descriptor> MakeAndLock(const MachineFolder& folder) {
  if (::mkdir(folder.path().c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return SystemFailure("making " + folder.path().string(), errno);
  }
  TRY(std::optional<Descriptor> lock, LockIfThere(folder));
  if (lock) return *std::move(lock);
  return FailCloud(core::CloudCode::kAborted,
                   folder.path().filename().string() + " is just being removed");
}

}  // namespace millwright::providers
