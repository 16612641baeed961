"""The parts of ./test, in the order in which they run."""

import argparse
import os
import pathlib
import subprocess
import sys

import gtest
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
  ./test                    checks, unit, control-plane, e2e and api
  ./test unit               release build, unit tests
  ./test e2e                the same cases against a real kube-apiserver
  ./test api                the embedded API server beside a real one, and under kubectl
  ./test unit informer      only test programs whose name contains "informer"
  ./test asan tsan          the unit tests under the sanitizers
  ./test fuzz --minutes 10  each fuzz target for ten minutes
"""


def main():
    parser = argparse.ArgumentParser(prog="./test", description="Builds and runs the tests.", epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="part",
                        help=f"one or more of: {', '.join(PARTS)}; other words select test programs by name")
    parser.add_argument("--minutes", type=float, default=0, help="fuzz each target for this long")
    options = parser.parse_args()
    parts = [part for part in options.parts if part in PARTS]
    options.names = [word for word in options.parts if word not in PARTS]
    results = results_module.Results()
    for part in parts or (["unit"] if options.names else DEFAULT):
        results.say(PARTS[part].__doc__)
        try:
            PARTS[part](results, options)
        except BuildFailed as failed:
            results.add_failure(f"{part}: build", str(failed))
    sys.exit(results.close())


class BuildFailed(Exception):
    pass


def build(preset, *targets):
    done = subprocess.run([ROOT / "tools/build", preset, *targets], cwd=ROOT, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode:
        raise BuildFailed(done.stderr or f"tools/build {preset} failed")
    return ROOT / "build" if preset == "release" else ROOT / "build" / preset


def programs(directory, options, suffix="_test"):
    found = sorted(p for p in (directory / "tests").iterdir() if p.name.endswith(suffix) and os.access(p, os.X_OK))
    if options.names:
        found = [p for p in found if any(name in p.name for name in options.names)]
    return found


def command(results, name, *arguments, env=None):
    """A check that is one command: it passes or fails as a whole."""
    done = subprocess.run([str(a) for a in arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, env={**os.environ, **(env or {})})
    if done.returncode:
        results.add_failure(name, "\n".join(done.stdout.splitlines()[-60:]))
    else:
        results.add_pass()


def checks(results, _):
    """checks: format, layers, time"""
    command(results, "check-format", "tools/check-format")
    command(results, "check-layers", "python3", "-B", "tools/check-layers")
    command(results, "check-time", "tools/check-time")


def tidy(results, _):
    """tidy: clang-tidy on changed files"""
    build("release")
    command(results, "clang-tidy", "tools/check-tidy")


def unit(results, options):
    """unit: release build and unit tests"""
    directory = build("release")
    gtest.run_programs(results, programs(directory, options))


def control_plane(results, _):
    """control-plane: a real etcd, kube-apiserver and kube-controller-manager"""
    if kubernetes_is_there(results, "control-plane"):
        command(results, "control-plane", "python3", "-B", "tools/control_plane_test.py")


def e2e(results, options):
    """e2e: the runtime and the commands against a real control plane"""
    directory = build("release")
    if kubernetes_is_there(results, "e2e"):
        gtest.run_programs(results, programs(directory, options, "_e2e"), jobs=1)


def api(results, _):
    """api: the embedded API server beside a real one, and under real clients"""
    build("release", "millwright")
    if not kubernetes_is_there(results, "api"):
        return
    lines(results, "python3", "-B", "tests/e2e/api/run.py")
    lines(results, "python3", "-B", "tests/e2e/api/kubectl_test.py")


def lines(results, *arguments):
    """A program that prints a line for each case: "ok NAME", or "not ok NAME" and what is wrong."""
    process = subprocess.Popen([str(a) for a in arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    failed, details, last = None, [], ""
    for line in [*process.stdout, "ok\n"]:
        if line.startswith(("ok", "not ok")):
            if failed:
                results.add_failure(failed, "\n".join(details[:40]))
            elif last.startswith("ok"):
                results.add_pass()
            failed, details = (line[7:].strip() if line.startswith("not ok") else None), []
            last = line
        else:
            details.append(line.rstrip())
    if process.wait() and not results.failures:
        results.add_failure(" ".join(str(a) for a in arguments), "\n".join(details[-40:]))


def kubernetes_is_there(results, part):
    done = subprocess.run([ROOT / "tools/kubernetes/build"], cwd=ROOT, check=False)
    if done.returncode == 3 and not os.environ.get("CI"):
        results.add_skip(part, "no Go toolchain, so no real control plane")
    elif done.returncode:
        results.add_failure(part, "tools/kubernetes/build failed (see above)")
    return done.returncode == 0


def asan(results, options):
    """asan: unit tests under the address and undefined-behaviour sanitizers"""
    directory = build("asan", "unit_tests")
    gtest.run_programs(results, programs(directory, options), env=SANITIZER_OPTIONS, label="asan ")


def tsan(results, options):
    """tsan: what uses threads, under the thread sanitizer"""
    directory = build("tsan", "threaded_tests")
    gtest.run_programs(results, programs(directory, options), env=SANITIZER_OPTIONS, label="tsan ")


def fuzz(results, options):
    """fuzz: each fuzz target for a while"""
    directory = build("fuzz", "fuzzers")
    limit = f"-max_total_time={int(options.minutes * 60)}" if options.minutes else f"-runs={FUZZ_RUNS}"
    for target in sorted((directory / "tests").glob("*_fuzz")):
        corpus = ROOT / "tests/fuzz/corpus" / target.name
        command(results, target.name, target, limit, "-max_len=4096", "-timeout=20", "-rss_limit_mb=4096",
                "-print_final_stats=0", "-verbosity=0", "-seed=1",
                f"-artifact_prefix={directory}/", *([corpus] if corpus.is_dir() else []), env=SANITIZER_OPTIONS)


PARTS = {"checks": checks, "unit": unit, "control-plane": control_plane, "e2e": e2e, "api": api,
         "asan": asan, "tsan": tsan, "fuzz": fuzz, "tidy": tidy}
# The others are not known to be clean over the whole tree yet; each that becomes so joins these.
DEFAULT = ["checks", "unit", "control-plane", "e2e", "api"]

if __name__ == "__main__":
    main()
