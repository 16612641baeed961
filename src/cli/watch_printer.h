// What `millwright watch` shows: a line for each change. What was missed while the server had
// forgotten our place is found by comparing its new list with what was shown.
#pragma once

#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/signal.h"
#include "kube/watch/reflector.h"

namespace millwright::cli {

struct WatchFormat {
  bool json = false;  // whole objects; else time, event, version and name in columns
  bool once = false;  // the state as it is and no more
};

class WatchPrinter final : public kube::ReflectorSink {
 public:
  // `notes` is for what is not part of the answer.
  WatchPrinter(const Executor& executor, Clock& clock, WatchFormat format, std::FILE* out,
               std::FILE* notes)
      : clock_(clock), format_(format), out_(out), notes_(notes), changed_(executor) {}

  void StartOver() override;
  void BeginList() override { listed_now_.emplace(); }
  void EndList(const kube::ResourceVersion& version) override;
  Result<kube::ResourceVersion> Upsert(kube::JsonObject object) override;
  Result<kube::ResourceVersion> Remove(kube::JsonObject object) override;
  void Progress(const kube::ResourceVersion&) override {}

  // Until there is nothing more to print: the task was cancelled, the reader of `out` went away, or
  // the state has been printed once if that is all that was asked for.
  Task<void> WaitDone();

  // The state as it was at the beginning has been printed.
  bool listed() const { return listed_; }

  // Why `out` cannot be written. A reader that has seen enough (a pipe to `head`) is not among it.
  std::optional<Error> problem() const;

 private:
  Result<kube::ResourceVersion> Print(const char* event, std::string_view object,
                                      const kube::Meta& meta);
  void PrintColumns(const char* event, const kube::Meta& meta);
  void Flush();
  bool IsDone() const { return write_error_ != 0 || (listed_ && format_.once); }

  Clock& clock_;
  const WatchFormat format_;
  std::FILE* const out_;
  std::FILE* const notes_;
  std::size_t printed_ = 0;
  bool listed_ = false;
  std::map<kube::ObjectKey, kube::ResourceVersion> shown_;
  std::optional<std::set<kube::ObjectKey>> listed_now_;  // while a list is under way
  int write_error_ = 0;
  Signal changed_;
};

}  // namespace millwright::cli
