// What is kept of one local machine: a folder under its UID.
//
//   machine.json   who it is
//   process.json   which process it is, or was
//   user-data      what it was given; for its owner's eyes only
//   state/         the process's own disk
//   log            what it prints
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"
#include "providers/local/descriptor.h"
#include "providers/local/process.h"

namespace millwright::providers {

struct MachineRecord {
  std::string name;
  std::string namespace_;
  Uid uid;
  std::string class_name;
  std::optional<WallTime> made;

  friend bool operator==(const MachineRecord&, const MachineRecord&) = default;
};

// Errors are those of a cloud (FailCloud). Records that are missing or make no sense read as none:
// they are what a crash left.
class MachineFolder {
 public:
  explicit MachineFolder(std::filesystem::path path) : path_(std::move(path)) {}

  bool Exists() const;
  std::optional<MachineRecord> ReadRecord() const;
  std::optional<ProcessId> ReadProcess() const;

  Result<void> WriteRecord(const MachineRecord& record) const;
  Result<void> WriteProcess(const ProcessId& process) const;
  void ForgetProcess() const;
  Result<void> WriteUserData(std::string_view text) const;
  // An empty disk, as a new machine has it.
  Result<void> ClearState() const;

  Result<void> Delete() const;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path user_data() const { return path_ / "user-data"; }
  std::filesystem::path state() const { return path_ / "state"; }
  std::filesystem::path log() const { return path_ / "log"; }

 private:
  Result<void> WriteFile(std::string_view name, std::string_view text) const;

  std::filesystem::path path_;
};

// Makes the folder if it is not there, and keeps everybody else from changing it, in this process
// or another, until what is returned goes. kAborted if somebody has it.
Result<Descriptor> MakeAndLock(const MachineFolder& folder);

// The same for a folder that is there; none if it is not.
Result<std::optional<Descriptor>> LockIfThere(const MachineFolder& folder);

}  // namespace millwright::providers
