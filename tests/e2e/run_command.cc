#include "tests/e2e/run_command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

extern char** environ;

namespace millwright::e2e {

namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    out = ends[0];
    in = ends[1];
  }

  int out = -1;
  int in = -1;
};

struct Streams {
  int input = -1;  // none: /dev/null
  int output = -1;
  bool with_errors = false;
};

// 0: it could not be started.
pid_t Spawn(const std::vector<std::string>& arguments, const Streams& streams) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (streams.input < 0) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO);
  }
  posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO);
  if (streams.with_errors) {
    posix_spawn_file_actions_adddup2(&actions, streams.output, STDERR_FILENO);
  }
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t process = 0;
  const int error = posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : 0;
}

std::string ReadAll(int descriptor) {
  std::string all;
  char buffer[4096];
  for (ssize_t size = 0; (size = read(descriptor, buffer, sizeof buffer)) > 0;) {
    all.append(buffer, static_cast<std::size_t>(size));
  }
  return all;
}

}  // namespace

CommandResult RunCommand(const std::vector<std::string>& arguments) {
  const Pipe output;
  const pid_t process = Spawn(arguments, {.output = output.in, .with_errors = true});
  close(output.in);
  CommandResult result;
  if (process != 0) {
    result.output = ReadAll(output.out);
    int status = 0;
    waitpid(process, &status, 0);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(output.out);
  return result;
}

std::string BesideTest::Start(const std::vector<std::string>& arguments) {
  Kill();
  // The shell's input ends with us, however we end; then it kills the program.
  std::vector<std::string> command{
      "sh", "-c", R"("$@" & program=$!; cat > /dev/null; kill -9 $program; wait $program)", "sh"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Pipe life;
  const Pipe output;
  shell_ = Spawn(command, {.input = life.out, .output = output.in});
  close(life.out);
  close(output.in);
  life_ = life.in;
  output_ = output.out;
  std::string line;
  for (char c = 0; read(output_, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

void BesideTest::Kill() {
  if (life_ >= 0) close(life_);
  if (shell_ != 0) waitpid(shell_, nullptr, 0);
  if (output_ >= 0) close(output_);
  shell_ = 0;
  life_ = output_ = -1;
}

}  // namespace millwright::e2e
