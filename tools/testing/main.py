"""The parts of ./test, in the order in which they run."""

import argparse
import os
import pathlib
import subprocess
import sys

import gtest
import lines as lines_module
import results as results_module

ROOT = pathlib.Path(__file__).resolve().parents[2]

SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1:suppressions=%s" % (ROOT / "tools/testing/tsan.supp"),
}

# Enough for each target to leave its first branches; real campaigns are `./test fuzz --minutes N`.
FUZZ_RUNS = 20000

EXAMPLES = """examples:
  ./test                    all of these but fuzz; tidy if there is an origin/main
  ./test unit               release build, unit tests
  ./test e2e                the runtime and the commands against a real kube-apiserver and ours
  ./test e2e gardener --kills 200   the Gardener dialect's cases, with ten times as many crashes
  ./test e2e capi-upstream  Cluster API's own programs and the cluster-autoscaler with ours; builds them first
  ./test e2e scale --machines 10000   so many simulated machines come, are rolled and go
  ./test api                the embedded API server beside a real one, and under kubectl
  ./test unit informer      only test programs whose name contains "informer"
  ./test asan tsan          the unit tests under the sanitizers
  ./test sim --minutes 30   clusters in virtual time, seed after seed; --seed 7 replays one
  ./test fuzz --minutes 10  each fuzz target for ten minutes
"""


def main():
    parser = argparse.ArgumentParser(prog="./test", description="Builds and runs the tests.", epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="part",
                        help=f"one or more of: {', '.join(PARTS)}; other words select test programs by name")
    parser.add_argument("--minutes", type=float, default=0, help="fuzz each target, or simulate seeds, for this long")
    parser.add_argument("--seed", type=int, default=None,
                        help="sim: this seed alone, with all that happens in it; with --minutes the first of many")
    parser.add_argument("--machines", type=int, default=0, help="so many machines come, are rolled and go in e2e scale")
    parser.add_argument("--kills", type=int, default=0, help="how often e2e's gardener cases kill the controller")
    options = parser.parse_args()
    parts = [part for part in options.parts if part in PARTS]
    options.names = [word for word in options.parts if word not in PARTS]
    options.unknown = set(options.names)
    results = results_module.Results()
    for part in parts or (["unit"] if options.names else DEFAULT):
        if not parts and is_late(results, part):
            continue
        results.say(PARTS[part].__doc__)
        try:
            PARTS[part](results, options)
        except BuildFailed as failed:
            results.add_failure(f"{part}: build", str(failed))
    for word in sorted(options.unknown):  # a name with a slip in it would select nothing, and that would pass
        results.add_failure(word, "neither a part nor a test's name")
    sys.exit(results.close())


def is_late(results, name):
    """Whether a run that began from nothing has no time left for it; then it is skipped, and that is said."""
    late = results.minutes() > LATEST_START_MINUTES.get(name, 1000)
    if late:
        part = f"e2e {name}" if name in E2E_PROGRAMS else name
        results.add_skip(name, f"{results.minutes():.0f} minutes are gone; ./test {part} runs it")
    return late


class BuildFailed(Exception):
    pass


def build(preset, *targets):
    done = subprocess.run([ROOT / "tools/build", preset, *targets], cwd=ROOT, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode:
        raise BuildFailed(done.stderr or f"tools/build {preset} failed")
    return ROOT / "build" if preset == "release" else ROOT / "build" / preset


def build_programs(preset, options, everything=(), suffix="_test", besides=()):
    """Builds everything, or only the test programs that were named and what they need besides; returns the programs."""
    if not options.names:
        directory = build(preset, *everything)
        return [directory / "tests" / name for name in known_programs(directory, everything, suffix)]
    directory = build(preset, "help")  # configures, if nobody has
    wished = [name for name in known_programs(directory, (), suffix) if any(word in name for word in options.names)]
    options.unknown -= {word for word in options.names if any(word in name for name in wished)}
    if wished or besides:
        build(preset, *wished, *besides)
    return [directory / "tests" / name for name in wished]


def known_programs(directory, targets, suffix):
    """Names of the programs that the build knows now; the folder may hold others, whose sources are gone or were not built anew."""
    question = ["query", *targets] if targets else ["targets", "all"]
    listed = subprocess.run(["ninja", "-C", directory, "-t", *question], capture_output=True, text=True, check=True)
    names = (line.split(":")[0].strip() for line in listed.stdout.splitlines())
    return sorted({name.removeprefix("tests/") for name in names
                   if name.startswith("tests/") and name.count("/") == 1 and name.endswith(suffix)})


def command(results, name, *arguments, env=None):
    """A check that is one command: it passes or fails as a whole."""
    done = subprocess.run([str(a) for a in arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, env={**os.environ, **(env or {})})
    if done.returncode:
        results.add_failure(name, "\n".join(done.stdout.splitlines()[-60:]))
    else:
        results.add_pass()


def checks(results, _):
    """checks: format, layers, time, the table of tested lines, ./test itself"""
    command(results, "check-format", "tools/check-format")
    command(results, "check-layers", "python3", "-B", "tools/check-layers")
    command(results, "check-time", "tools/check-time")
    command(results, "spec-coverage", "python3", "-B", "tools/spec-coverage", "--check")
    command(results, "./test itself", "python3", "-B", "tools/testing/testing_test.py")


def tidy(results, options):
    """tidy: clang-tidy on changed files"""
    if not options.parts and not knows_last_landing():
        results.add_skip("tidy", "no origin/main says what has changed; ./test tidy checks every file")
        return
    build("release")
    command(results, "clang-tidy", "tools/check-tidy")


def knows_last_landing():
    return subprocess.run(["git", "rev-parse", "-q", "--verify", "origin/main"], cwd=ROOT, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def unit(results, options):
    """unit: release build and unit tests"""
    gtest.run_programs(results, build_programs("release", options))


def control_plane(results, _):
    """control-plane: a real etcd, kube-apiserver and kube-controller-manager"""
    if kubernetes_is_there(results, "control-plane"):
        command(results, "control-plane", "python3", "-B", "tools/control_plane_test.py")


def e2e(results, options):
    """e2e: the runtime and the commands against a real control plane and the embedded server"""
    found = build_programs("release", options, suffix="_e2e", besides=["millwright"])
    gtest.run_programs(results, found, jobs=1, env={"MILLWRIGHT_E2E_SERVER": "embedded"}, label="embedded ")
    run_e2e(results, options, "providers")
    run_e2e(results, options, "scale")
    if kubernetes_is_there(results, "e2e"):
        gtest.run_programs(results, found, jobs=1)
        for name in ("machines", "gardener", "capi", "deploy", "capi-upstream"):
            run_e2e(results, options, name)


# By the words that select them.
E2E_PROGRAMS = {"providers": "tests/e2e/providers/providers_test.py", "machines": "tests/e2e/machines/machines_test.py",
                "gardener": "tests/e2e/machines/cases_test.py", "scale": "tests/e2e/machines/scale_test.py",
                "capi": "tests/e2e/capi/capi_test.py", "capi-upstream": "tests/e2e/capi/capi_upstream_test.py",
                "deploy": "tests/e2e/deploy/deploy_test.py"}


def run_e2e(results, options, name):
    if options.names and name not in options.names:
        return
    options.unknown.discard(name)
    if not options.names and is_late(results, name):
        return
    words = ["--kills", options.kills] if options.kills and name == "gardener" else []
    limit = HANGS_AFTER_SECONDS + options.kills * 10
    if name == "capi-upstream" and options.names:
        limit = BUILDS_FIRST_SECONDS
    elif name == "capi-upstream":
        words = ["--if-built"]  # to build them takes longer than all the others
    lines(results, "python3", "-B", E2E_PROGRAMS[name], *words, limit=limit)


API_PROGRAMS = ["run", "kubectl_test", "upstream_test", "clients_test", "informer_test", "backup_test", "crash_test"]


def api(results, _):
    """api: the embedded API server beside a real one, and under real clients"""
    build("release", "millwright")
    if not kubernetes_is_there(results, "api"):
        return
    for program in API_PROGRAMS:
        lines(results, "python3", "-B", f"tests/e2e/api/{program}.py")


# No program of ours takes half as long; one that does will not end by itself.
HANGS_AFTER_SECONDS = 15 * 60
# With big Go programs to build before.
BUILDS_FIRST_SECONDS = 90 * 60


def lines(results, *arguments, limit=HANGS_AFTER_SECONDS, shown=lines_module.notes):
    """A program that prints a line for each case."""
    lines_module.run(results, arguments, limit, ROOT, shown)


# What a run of every part may need: each crash point of one life and of each script, all pairs of points of the smallest, a
# crash between any two awaits of each script, and seeds.
GARDENER = ["--dialect", "gardener"]
CLUSTER_API = ["--dialect", "cluster-api"]  # a life of it takes several times as long
SIM_RUNS = [[*GARDENER, "--points"], [*GARDENER, "--points", "--script", "all", "--replicas", "2"],
            [*GARDENER, "--pairs", "all", "--script", "create", "--replicas", "2"],
            [*GARDENER, "--steps", "1", "--script", "all", "--replicas", "2"], [*GARDENER, "--seeds", "150"],
            [*CLUSTER_API, "--points", "--script", "all", "--replicas", "2"], [*CLUSTER_API, "--pairs", "8"],
            [*CLUSTER_API, "--seeds", "30"], [*CLUSTER_API, "--two-leaders", "--replicas", "2"]]


def sim_runs(options):
    """What sim_run is told: all of the above, or seeds for some minutes, or one seed again."""
    first = ["--from", str(1 if options.seed is None else options.seed)]
    dialects = (GARDENER, CLUSTER_API)
    if options.minutes:
        return [[*one, "--minutes", str(options.minutes / len(dialects)), *first] for one in dialects]
    if options.seed is not None:
        return [[*one, "--seeds", "1", "--trace", *first] for one in dialects]
    return SIM_RUNS


def sim(results, options):
    """sim: whole clusters in virtual time, with crashes and faults"""
    directory = build("release", "sim_run")
    is_replay = options.seed is not None and not options.minutes
    for run in sim_runs(options):
        print("  " + " ".join(["sim_run", *run]), flush=True)
        lines(results, directory / "tests/sim_run", *run, limit=HANGS_AFTER_SECONDS + options.minutes * 60,
              shown=lines_module.everything if is_replay else lines_module.notes_and_cases)


def bench(results, _):
    """bench: ours beside a peer on fifty machines, without looking at the times"""
    command(results, "bench: counting and tables", "python3", "-B", "benchmarks/side_by_side/pure_test.py")
    build("release", "millwright")
    if not kubernetes_is_there(results, "bench"):
        return
    peers = subprocess.run([ROOT / "benchmarks/peers/build", "--print-dir"], check=True, stdout=subprocess.PIPE, text=True).stdout
    if not pathlib.Path(peers.strip()).is_dir() and results.minutes() > LATEST_PEERS_MINUTES:
        results.add_skip("bench quick", "its peers are not built; benchmarks/peers/build builds them, ./test bench runs it")
        return
    for module in ("cloud", "millwright"):
        command(results, f"bench: {module}", "go", "-C", f"benchmarks/peers/{module}", "test", "./...")
    command(results, "bench quick", "./bench", "quick", "--out", ROOT / "build/bench-quick")


def faults(results, options):
    """faults: the real binary and a real kube-apiserver, with a proxy between them that fails"""
    build("release", "millwright", "fault_proxy")
    options.unknown.clear()  # the program fails if it has no such case
    if kubernetes_is_there(results, "faults"):
        lines(results, "python3", "-B", "tests/faults/real/faults_test.py", *options.names, shown=lines_module.notes_and_cases)


def kubernetes_is_there(results, part):
    done = subprocess.run([ROOT / "tools/kubernetes/build"], cwd=ROOT, check=False)
    if done.returncode == 3 and not os.environ.get("CI"):
        results.add_skip(part, "no Go toolchain, so no real control plane")
    elif done.returncode:
        results.add_failure(part, "tools/kubernetes/build failed (see above)")
    return done.returncode == 0


def asan(results, options):
    """asan: unit tests under the address and undefined-behaviour sanitizers"""
    found = build_programs("asan", options, ["unit_tests"])
    gtest.run_programs(results, found, env=SANITIZER_OPTIONS, label="asan ")


def tsan(results, options):
    """tsan: what uses threads, under the thread sanitizer"""
    found = build_programs("tsan", options, ["threaded_tests"])
    gtest.run_programs(results, found, env=SANITIZER_OPTIONS, label="tsan ")


def fuzz(results, options):
    """fuzz: each fuzz target for a while"""
    directory = build("fuzz", "fuzzers")
    limit = f"-max_total_time={int(options.minutes * 60)}" if options.minutes else f"-runs={FUZZ_RUNS}"
    for target in sorted((directory / "tests").glob("*_fuzz")):
        corpus = ROOT / "tests/fuzz/corpus" / target.name
        # What is found anew goes where the target finds it next time, not into the sources.
        found = directory / "corpus" / target.name
        found.mkdir(parents=True, exist_ok=True)
        command(results, target.name, target, limit, "-max_len=4096", "-timeout=20", "-rss_limit_mb=4096",
                "-print_final_stats=0", "-verbosity=0", "-seed=1",
                f"-artifact_prefix={directory}/", found, *([corpus] if corpus.is_dir() else []), env=SANITIZER_OPTIONS)


PARTS = {"checks": checks, "unit": unit, "control-plane": control_plane, "e2e": e2e, "api": api, "sim": sim, "faults": faults, "bench": bench,
         "asan": asan, "tsan": tsan, "fuzz": fuzz, "tidy": tidy}
# fuzz takes longer than a default run should.
DEFAULT = ["checks", "unit", "control-plane", "e2e", "api", "sim", "faults", "bench", "tsan", "asan", "tidy"]
# From nothing on two cores everything is built first, and the real Kubernetes programs, too. A default run that is late leaves
# these out and says so.
LATEST_START_MINUTES = {"gardener": 58, "capi": 62, "deploy": 62, "capi-upstream": 40, "providers": 62, "api": 64, "sim": 66, "faults": 62,
                        "bench": 66, "tsan": 50, "asan": 20, "tidy": 20}
# The peers take five to ten minutes to build.
LATEST_PEERS_MINUTES = 50

if __name__ == "__main__":
    main()
