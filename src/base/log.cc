#include "base/log.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace millwright {

// Fields with the text that they borrow.
struct Logger::Bound {
  std::deque<std::string> texts;  // does not move its elements when it grows
  std::vector<LogField> fields;

  void Set(const LogField& field) {
    std::erase_if(fields,
                  [&](const LogField& known) { return known.key.text() == field.key.text(); });
    fields.push_back(field);
    if (const auto* text = std::get_if<std::string_view>(&field.value.value())) {
      fields.back().value = LogValue(std::string_view(texts.emplace_back(*text)));
    }
  }
};

Logger Logger::With(std::initializer_list<LogField> fields) const {
  if (module_ == nullptr) return {};
  auto bound = std::make_shared<Bound>();
  if (bound_ != nullptr) {
    for (const LogField& field : bound_->fields) bound->Set(field);
  }
  for (const LogField& field : fields) bound->Set(field);
  Logger logger = *this;
  logger.bound_ = std::move(bound);
  return logger;
}

void Logger::Write(LogLevel level, LogMessage message,
                   std::initializer_list<LogField> fields) const {
  std::vector<LogField> all;
  const auto replaced = [&](const LogField& field) {
    return std::ranges::any_of(
        fields, [&](const LogField& other) { return other.key.text() == field.key.text(); });
  };
  if (bound_ != nullptr) {
    std::ranges::remove_copy_if(bound_->fields, std::back_inserter(all), replaced);
  }
  all.insert(all.end(), fields.begin(), fields.end());
  log_->sink_.Write(LogRecord{.time = log_->clock_.Now(),
                              .level = level,
                              .module = module_->name,
                              .message = message.text(),
                              .fields = all});
}

Log::Log(LogSink& sink, const Clock& clock, LogLevels levels)
    : sink_(sink), clock_(clock), levels_(std::move(levels)) {}

Logger Log::For(std::string_view module) {
  const std::scoped_lock lock(mutex_);
  const auto known = std::ranges::find(modules_, module, &Logger::Module::name);
  if (known != modules_.end()) return Logger(*this, *known);
  return Logger(*this, modules_.emplace_back(std::string(module), LevelFor(levels_, module)));
}

void Log::SetLevels(LogLevels levels) {
  const std::scoped_lock lock(mutex_);
  levels_ = std::move(levels);
  for (Logger::Module& module : modules_) {
    module.threshold.store(LevelFor(levels_, module.name), std::memory_order_relaxed);
  }
}

LogLevels Log::levels() const {
  const std::scoped_lock lock(mutex_);
  return levels_;
}

}  // namespace millwright
