#include "cli/controller_flags.h"

#include <fmt/format.h>

namespace millwright::cli {

using dialects::Flag;
using dialects::FlagType;

namespace {

constexpr Flag kOwnFlags[] = {
    {"dialect", FlagType::kText, "gardener", "Whose machines these are"},
    {"only", FlagType::kText, "all",
     "sets (deployments and sets), machines (machines, classes, secrets), or all"},
    {"provider", FlagType::kText, "",
     "NAME=unix:///PATH or NAME=https://HOST:PORT: a provider in a process of its own, for classes "
     "of that name; may be repeated. NAME alone (simulated, local, or one of those): serves all "
     "classes whose own provider is not here"},
    {"provider-certs", FlagType::kText, "",
     "Folder with ca.crt, tls.crt and tls.key for providers at https; NAME=FOLDER for one of them"},
    {"data-dir", FlagType::kText, "millwright-data", "Where local machines are kept"},
    {"help", FlagType::kSwitch, "false", "Print this"},
    {"h", FlagType::kSwitch, "false", "Print this"},
};

Result<controllers::Loops> LoopsOf(const std::string& only) {
  if (only == "all") return controllers::Loops{};
  if (only == "sets") return controllers::Loops{.sets = true, .machines = false};
  if (only == "machines") return controllers::Loops{.sets = false, .machines = true};
  return Fail(ErrorKind::kInvalid, fmt::format("--only: '{}' is not sets, machines or all", only));
}

std::string_view PlaceholderOf(FlagType type) {
  switch (type) {
    case FlagType::kText: return " TEXT";
    case FlagType::kWhole:
    case FlagType::kReal: return " NUMBER";
    case FlagType::kSwitch: return "";
    case FlagType::kDuration: return " DURATION";
  }
  return "";
}

std::string Line(const Flag& flag) {
  std::string line = fmt::format(
      "  {:<60}{}", fmt::format("--{}{}", flag.name, PlaceholderOf(flag.type)), flag.meaning);
  const bool plain = flag.fallback.empty() || flag.fallback == "false";
  if (!plain) line += fmt::format(" (default {})", flag.fallback);
  return line + "\n";
}

}  // namespace

Result<ControllerFlags> ReadControllerFlags(std::span<const std::string> words) {
  dialects::SplitWords split = dialects::Split(kOwnFlags, words);
  TRY(const dialects::FlagValues own, dialects::ParseFlags(kOwnFlags, split.known));
  ControllerFlags flags{.data_dir = own.Text("data-dir"),
                        .of_dialect = std::move(split.others),
                        .help = own.Switch("help") || own.Switch("h")};
  TRY(flags.dialect, FindDialect(own.Text("dialect")));
  TRY(flags.loops, LoopsOf(own.Text("only")));
  TRY(flags.providers, ReadProviderFlags(own.All("provider"), own.All("provider-certs")));
  return flags;
}

std::string ControllerHelp(const ControllerFlags& flags) {
  std::string used;
  std::string ignored;
  for (const Flag& flag : flags.dialect->controller.flags(flags.loops)) {
    (flag.ignored ? ignored : used) += Line(flag);
  }
  std::string own;
  for (const Flag& flag : kOwnFlags) {
    if (flag.name != "h") own += Line(flag);
  }
  return fmt::format(
      "Machine controllers for a cluster that exists\n"
      "Usage: millwright controller [FLAGS]\n\n"
      "Flags:\n{}\nFlags of {} (\"_\" is as good as \"-\"):\n{}\nAccepted, without effect:\n{}\n"
      "examples:\n"
      "  millwright crds --dialect gardener | kubectl apply -f -\n"
      "  millwright controller --dialect gardener --provider simulated\n"
      "  millwright controller --provider demo=unix:///run/demo.sock\n"
      "  millwright controller --only=sets --control-kubeconfig=a.yaml --target-kubeconfig=b.yaml\n"
      "\nStarted as machine-controller-manager or machine-controller it is that program.\n",
      own, flags.dialect->name, used, ignored);
}

}  // namespace millwright::cli
