"""The commands a person types."""

import argparse
import json
import os
import re
import sys
import time

from . import audit, client, identities, places, programs
from .errors import Problem
from .supervisor import Supervisor

_EXAMPLES = """examples:
  tools/control-plane up                                    start one; prints the admin's kubeconfig
  tools/control-plane up --name other --json                a second one beside it; prints everything about it
  tools/control-plane up --parent-pid $$                    one that goes away with this shell, however that ends
  taskset -c 0 tools/control-plane up                       held to the first core, for a benchmark
  export KUBECONFIG=$(tools/control-plane kubeconfig --user millwright)
  tools/control-plane identity eve --group dev --expired    a client certificate that ended yesterday
  tools/control-plane mark; ...; tools/control-plane requests --since-mark --user millwright --json
  tools/control-plane kill-apiserver; ...; tools/control-plane restart-apiserver
  tools/control-plane down

410 Gone on demand: kube-apiserver keeps recent history in its own memory, so after `compact` alone old watches and lists still
work. `restart-apiserver` alone ends watches that resume from before it, if anything was written since their revision. All three,
kill-apiserver, compact, restart-apiserver, also end paged lists begun before.

The programs come from tools/kubernetes/build. Control planes live in memory (/dev/shm) where there is room, else in the temporary
directory; MILLWRIGHT_CONTROL_PLANES names another place. Exit status: 0 done, 1 it did not work, 2 wrong use.
"""


def up(options):
    options.keep = False
    options.controllers = _controllers(options)
    directory = places.choose(options.name, options.dir, options.durable)
    places.remove_stale()
    if options.foreground:
        Supervisor(directory, options, lambda state: _show_up(state, options)).run()
    else:
        _show_up(client.start_detached(directory, options), options)


def _controllers(options):
    chosen = dict.fromkeys(programs.CONTROLLERS + options.with_controller)
    for name in options.without_controller:
        if name not in chosen:
            raise Problem(f"there is no controller {name} to leave out; there are: {', '.join(chosen)}")
        del chosen[name]
    return list(chosen)


def _show_up(state, options):
    if options.json:
        print(json.dumps(state, indent=2), flush=True)
    else:
        print(f"{state['name']} is up after {state['started_in_seconds']} s: export KUBECONFIG={state['kubeconfig']}", flush=True)


def down(options):
    directory = places.find(options.name, options.dir)
    if places.is_taken(directory):
        client.take_down(directory, keep=options.keep, delete=options.delete)
        print(f"{options.name} is down" + (f"; what it left is in {directory}" if directory.exists() else ""))
        return
    if (directory / places.LOCK).exists() and (options.delete or not (directory / places.KEPT).exists()):
        places.remove(directory)
    print(f"{options.name} was not up")


def status(options):
    state = client.ask(places.find(options.name, options.dir), "status")
    if options.json:
        print(json.dumps(state, indent=2))
        return
    print(f"{state['name']}: {state['phase']}, {state['server']}, in {state['dir']}")
    for name, process in state["processes"].items():
        pid = process["pid"]
        print(f"  {name:24} {process['condition']}" + (f", pid {pid}, {_resident(pid)} MiB" if pid else ""))


def _resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def list_all(options):
    for directory in places.everywhere():
        print(f"{directory.name:20} {'up' if places.is_taken(directory) else 'down':6} {directory}")


def forward(options):
    client.ask(places.find(options.name, options.dir), options.command)


def compact(options):
    revision = client.ask(places.find(options.name, options.dir), "compact")
    print(f"etcd has forgotten everything before revision {revision}")


def kubeconfig(options):
    known = identities.Identities(_existing(options))
    path = known.kubeconfig(options.user)
    if not path.exists():
        raise Problem(f"there is no identity {options.user}; there are: {', '.join(known.names())}. "
                      f"`tools/control-plane identity {options.user}` makes one")
    print(path)


def identity(options):
    directory = _existing(options)
    known = identities.Identities(directory)
    if options.token:
        if options.group or not known.has_token(options.NAME):
            raise Problem("kube-apiserver reads tokens only when it starts: use one of "
                          f"{', '.join(known.token_names())}, or name yours in `up --identity NAME=GROUP,...`")
        print(known.kubeconfig(options.NAME))
        return
    if known.has_token(options.NAME):
        raise Problem(f"{options.NAME} has a token already; a certificate needs another name")
    known.server = json.loads((directory / places.STATE).read_text())["server"]
    print(known.certificate(options.NAME, options.group, options.expired))


def mark(options):
    _let_the_log_settle()
    audit.set_mark(_existing(options), options.LABEL)


def requests(options):
    directory = _existing(options)
    _let_the_log_settle()
    offset = audit.mark(directory, options.since_mark) if options.since_mark else 0
    counted = audit.count(directory / "audit.log", offset, options.user, options.by)
    if options.json:
        print(json.dumps(counted, indent=2))
        return
    for row in counted["rows"]:
        print(f"{row['count']:8}  " + "  ".join(str(row[name]) for name in options.by))
    print(f"{counted['total']:8}  in all, {counted['writes']} of them writes")


def _let_the_log_settle():
    """kube-apiserver writes the line just after the answer has gone out."""
    time.sleep(0.1)


def _existing(options):
    directory = places.find(options.name, options.dir)
    if not (directory / places.STATE).exists():
        raise Problem(f"no control plane {options.name} in {directory}; start one with `tools/control-plane up`")
    return directory


def _name(text):
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", text):
        raise argparse.ArgumentTypeError("use letters, digits and . _ -")
    return text


def _fields(text):
    names = text.split(",")
    for name in names:
        if name not in audit.FIELDS:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(audit.FIELDS)}")
    return names


def _parser():
    parser = argparse.ArgumentParser(
        prog="tools/control-plane", epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Starts and stops a real Kubernetes control plane (etcd, kube-apiserver, kube-controller-manager) on loopback.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, run, text):
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.set_defaults(run=run)
        sub.add_argument("--name", default="default", type=_name, help="which control plane (default: %(default)s)")
        sub.add_argument("--dir", help="its directory, if it has one of its own")
        return sub

    sub = command("up", up, "start a control plane, and return when it is ready")
    sub.add_argument("--durable", action="store_true",
                     help="etcd syncs to disk, and `down` keeps the data for the next `up --durable`")
    sub.add_argument("--foreground", action="store_true", help="stay; Ctrl-C takes it down")
    sub.add_argument("--parent-pid", type=int, metavar="PID", help="take it down when this process ends")
    sub.add_argument("--json", action="store_true", help="print everything about it")
    sub.add_argument("--kwok", action="store_true", help="also run kwok, which plays the kubelet of every node")
    sub.add_argument("--identity", action="append", default=[], type=identities.parse, metavar="NAME[=GROUP,...]",
                     help="a further identity with a token (repeat)")
    sub.add_argument("--no-controller-manager", dest="controller_manager", action="store_false",
                     help="without kube-controller-manager: no garbage collection, no default service accounts")
    sub.add_argument("--with-controller", action="append", default=[], metavar="NAME", help="a further controller (repeat)")
    sub.add_argument("--without-controller", action="append", default=[], metavar="NAME",
                     help="leave one out (repeat), such as node-lifecycle-controller where nodes send no heartbeats")
    sub.add_argument("--apiserver-arg", action="append", default=[], metavar="=--FLAG=VALUE", help="a further flag (repeat)")
    sub.add_argument("--controller-manager-arg", action="append", default=[], metavar="=--FLAG=VALUE",
                     help="a further flag (repeat)")

    sub = command("down", down, "end all its processes and remove its directory")
    sub.add_argument("--keep", action="store_true", help="keep the directory, to read its logs")
    sub.add_argument("--delete", action="store_true", help="remove the directory even of a durable or kept one")

    sub = command("status", status, "show its processes")
    sub.add_argument("--json", action="store_true", help="print everything about it")
    command("list", list_all, "show all control planes that have no directory of their own")

    command("kill-apiserver", forward, "kill kube-apiserver at once, as a crash would; it stays down")
    command("stop-apiserver", forward, "end kube-apiserver in good order; it stays down")
    command("restart-apiserver", forward, "start kube-apiserver again on the same port, and return when it is ready")
    command("pause-apiserver", forward, "let kube-apiserver hang: connections stay open, nothing is answered")
    command("resume-apiserver", forward, "let a paused kube-apiserver go on")
    command("compact", compact, "make etcd forget all history before the current revision")
    command("start-kwok", forward, "run kwok, which plays the kubelet of every node")
    command("stop-kwok", forward, "end kwok")

    sub = command("kubeconfig", kubeconfig, "print the path of an identity's kubeconfig")
    sub.add_argument("--user", default="admin", metavar="NAME", help="whose (default: %(default)s)")
    sub = command("identity", identity, "make a further identity, and print the path of its kubeconfig")
    sub.add_argument("NAME")
    sub.add_argument("--group", action="append", default=[], help="a group it is in (repeat)")
    kind = sub.add_mutually_exclusive_group()
    kind.add_argument("--certificate", action="store_true", help="with a client certificate (the default)")
    kind.add_argument("--token", action="store_true", help="with a token: one of those made at the start")
    sub.add_argument("--expired", action="store_true", help="a certificate whose time is over")

    sub = command("mark", mark, "remember this point in the audit log, to count from")
    sub.add_argument("LABEL", nargs="?", default="mark")
    sub = command("requests", requests, "count the requests that kube-apiserver has served, from its audit log")
    sub.add_argument("--user", metavar="NAME", help="only those of one user")
    sub.add_argument("--since-mark", nargs="?", const="mark", metavar="LABEL",
                     help="only those after a mark; the mark `ready` is set when the control plane is ready")
    sub.add_argument("--by", type=_fields, default=["user", "verb", "resource"], metavar="FIELD,...",
                     help=f"what to count by, of {','.join(audit.FIELDS)} (default: user,verb,resource)")
    sub.add_argument("--json", action="store_true", help='{"total": N, "writes": N, "rows": [{"user": ..., "count": N}, ...]}')
    return parser


def main():
    options = _parser().parse_args()
    try:
        options.run(options)
    except Problem as problem:
        print(f"control-plane: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # a supervisor that is still starting notices that nobody waits for it, and gives up
        return 130
    except BrokenPipeError:  # of `requests | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
