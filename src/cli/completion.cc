#include "cli/completion.h"

#include <fmt/format.h>

#include <vector>

namespace millwright::cli {

namespace {

struct Word {
  std::string text;
  std::string help;
};

struct Level {
  std::string path;  // "millwright watch"
  std::vector<Word> words;
};

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

void CollectLevels(const CLI::App& app, const std::string& path, std::vector<Level>& levels) {
  Level level{path, {}};
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : commands) {
    level.words.push_back({command->get_name(), FirstLine(command->get_description())});
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      level.words.push_back({"--" + name, FirstLine(option->get_description())});
    }
  }
  levels.push_back(std::move(level));
  for (const CLI::App* command : commands) {
    CollectLevels(*command, path + " " + command->get_name(), levels);
  }
}

std::string Escaped(std::string text, char quote) {
  std::string out;
  for (const char c : text) {
    if (c == quote && quote == '\'') {
      out += "'\\''";
    } else if (c == ':' && quote == ':') {
      out += "\\:";
    } else {
      out += c;
    }
  }
  return out;
}

// 'millwright'|'millwright watch'|...: a pattern of the shell.
std::string AnyPath(const std::vector<Level>& levels) {
  std::string pattern;
  for (const Level& level : levels) {
    pattern += fmt::format("{}'{}'", pattern.empty() ? "" : "|", level.path);
  }
  return pattern;
}

// Of the words typed so far, those that are commands decide which level's words are offered; the
// others are resources and values of flags.
std::string Bash(const std::vector<Level>& levels) {
  std::string cases;
  for (const Level& level : levels) {
    std::string words;
    for (const Word& word : level.words) words += (words.empty() ? "" : " ") + word.text;
    cases += fmt::format("    '{}') words='{}' ;;\n", level.path, words);
  }
  return fmt::format(R"(# bash completion for millwright: source <(millwright completion bash)
_millwright() {{
  local path=millwright word words=''
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path $word" in {}) path="$path $word" ;; esac
  done
  case $path in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -F _millwright millwright
)",
                     AnyPath(levels), cases);
}

std::string Zsh(const std::vector<Level>& levels) {
  std::string cases;
  for (const Level& level : levels) {
    std::string words;
    for (const Word& word : level.words) {
      words += fmt::format(" '{}:{}'", Escaped(word.text, ':'), Escaped(word.help, '\''));
    }
    cases += fmt::format("    '{}') entries=({}) ;;\n", level.path, words);
  }
  return fmt::format(R"(#compdef millwright
# zsh completion for millwright: source <(millwright completion zsh)
_millwright() {{
  local location=millwright word
  local -a entries
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    case "$location $word" in ({}) location="$location $word" ;; esac
  done
  case $location in
{}  esac
  _describe 'millwright' entries
}}
compdef _millwright millwright
)",
                     AnyPath(levels), cases);
}

std::string Fish(const std::vector<Level>& levels) {
  std::string lines = "# fish completion for millwright: millwright completion fish | source\n";
  for (const Level& level : levels) {
    const std::size_t space = level.path.find(' ');
    const std::string condition =
        space == std::string::npos ? "__fish_use_subcommand"
                                   : "__fish_seen_subcommand_from " + level.path.substr(space + 1);
    for (const Word& word : level.words) {
      const bool is_flag = word.text.starts_with("--");
      lines += fmt::format("complete -c millwright -n '{}' {} {} -d '{}'\n", condition,
                           is_flag ? "-l" : "-f -a", is_flag ? word.text.substr(2) : word.text,
                           Escaped(word.help, '\''));
    }
  }
  return lines;
}

}  // namespace

Result<std::string> CompletionScript(const CLI::App& app, const std::string& shell) {
  std::vector<Level> levels;
  CollectLevels(app, "millwright", levels);
  if (shell == "bash") return Bash(levels);
  if (shell == "zsh") return Zsh(levels);
  if (shell == "fish") return Fish(levels);
  return Fail(ErrorKind::kInvalid, "no completion for shell '" + shell + "': bash, zsh or fish");
}

}  // namespace millwright::cli
