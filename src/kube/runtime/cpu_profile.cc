#include "kube/runtime/cpu_profile.h"

#include <dlfcn.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace millwright::kube {

namespace {

struct Profiler {
  int (*start)(const char* path) = nullptr;
  void (*stop)() = nullptr;
};

Result<Profiler> LoadProfiler() {
  // Never unloaded: it has installed a signal handler.
  void* library = dlopen("libprofiler.so.0", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    return Fail(ErrorKind::kUnavailable,
                "no CPU profiler on this machine: install the package libgoogle-perftools4");
  }
  Profiler profiler;
  profiler.start = reinterpret_cast<int (*)(const char*)>(dlsym(library, "ProfilerStart"));
  profiler.stop = reinterpret_cast<void (*)()>(dlsym(library, "ProfilerStop"));
  if (profiler.start == nullptr || profiler.stop == nullptr) {
    return Fail(ErrorKind::kUnavailable, "libprofiler.so.0 has no profiler in it");
  }
  return profiler;
}

// A file of our own that goes when we are done.
class TemporaryFile {
 public:
  TemporaryFile() {
    const int descriptor = mkstemp(path_.data());
    if (descriptor >= 0) close(descriptor);
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

  std::string Read() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string path_ = "/tmp/millwright-profile-XXXXXX";
};

}  // namespace

Task<Result<std::string>> TakeCpuProfile(Clock& clock, Duration duration) {
  CO_TRY(const Profiler profiler, LoadProfiler());
  const TemporaryFile file;
  if (profiler.start(file.path().c_str()) == 0) {
    co_return Fail(ErrorKind::kUnavailable, "another profile is being taken: try again later");
  }
  co_await SleepFor(clock, duration);
  profiler.stop();
  co_return file.Read();
}

}  // namespace millwright::kube
