#include "cli/command_words.h"

#include <filesystem>
#include <string_view>

#include "dialects/gardener/flags.h"

namespace millwright::cli {

namespace {

constexpr std::string_view kController = "controller";

std::vector<std::string> ControllerWords(std::string only, std::span<const char* const> flags) {
  std::vector<std::string> words{std::string(kController), "--", "--dialect=gardener",
                                 "--only=" + std::move(only)};
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

// Where the command's name stands: behind flags that hold for all commands.
std::size_t PlaceOfCommand(const std::vector<std::string>& words) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (!words[at].starts_with('-')) return at;
    if (words[at] == "--log" || words[at] == "--log-format") ++at;
  }
  return words.size();
}

}  // namespace

std::vector<std::string> CommandWords(std::span<const char* const> arguments) {
  if (arguments.empty()) return {};
  const std::span<const char* const> rest = arguments.subspan(1);
  using dialects::gardener::Program;
  const auto program =
      dialects::gardener::ProgramNamed(std::filesystem::path(arguments[0]).filename().string());
  if (program) return ControllerWords(*program == Program::kSets ? "sets" : "machines", rest);
  std::vector<std::string> words(rest.begin(), rest.end());
  const std::size_t command = PlaceOfCommand(words);
  if (command < words.size() && words[command] == kController) {
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(command) + 1, "--");
  }
  return words;
}

}  // namespace millwright::cli
