#!/usr/bin/env python3
"""Kills the embedded server at random moments while 64 connections write, starts it again and looks at what is there.

  tests/e2e/api/crash_test.py [--rounds 50] [--seed N] [--minutes LIMIT]

After each kill: every write that was answered is there with its content; one that was not answered is there as a whole or
not at all; no resourceVersion goes back; watches that resume from the last they saw miss nothing and see nothing twice.
"""

import argparse
import asyncio
import pathlib
import random
import signal
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from async_client import Connection  # noqa: E402
from client import Client  # noqa: E402
from crash_ledger import Ledger, Seen  # noqa: E402
from servers import MILLWRIGHT  # noqa: E402

MAPS = "/api/v1/namespaces/default/configmaps"
OURS = "labelSelector=crash"  # others may write here too: the server itself
CONNECTIONS = 64
WATCHERS = 6
OBJECTS_PER_CONNECTION = 3
LONGEST_LIFE_SECONDS = 0.45
# How far it gets before it is killed while it starts; it serves after about a tenth of this.
LONGEST_START_SECONDS = 0.3
HANGS_SECONDS = 60
LOST = (ConnectionError, asyncio.IncompleteReadError, OSError)


class Server:
    """The embedded server on one data directory, over many lives."""

    def __init__(self, directory):
        self.directory = directory
        self.process = None

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            MILLWRIGHT, "standalone", "--data-dir", str(self.directory), "--listen", "127.0.0.1:0",
            "--dialect", "none", stdout=asyncio.subprocess.PIPE)

    async def ready(self):
        """A client, once it serves."""
        line = await asyncio.wait_for(self.process.stdout.readline(), HANGS_SECONDS)
        assert line.startswith(b"Serving"), f"the server did not start: {line.decode()}"
        return Client(self.directory / "kubeconfig")

    async def kill(self):
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()


async def until_killed(client, use):
    """Uses a connection, whose loss at any moment is what is meant to happen."""
    connection = None
    try:
        connection = await Connection.open(client)
        await use(connection)
    except LOST:
        pass
    finally:
        if connection:
            connection.close()


async def write(client, ledger, number, dice):
    """Creates, changes and deletes objects of its own."""
    names = [f"w{number}-{i}" for i in range(OBJECTS_PER_CONNECTION)]

    async def for_ever(connection):
        while True:
            await one_write(connection, ledger, dice.choice(names), dice)
    await until_killed(client, for_ever)


async def one_write(connection, ledger, name, dice):
    if ledger.content(name) is not None and dice.random() < 0.2:
        ledger.will(name, None)
        status, answer = await connection.ask("DELETE", f"{MAPS}/{name}")
        assert status == 200, f"{name}: {status} {answer}"
        ledger.did(name, None)
    else:
        await put(connection, ledger, name, f"{dice.getrandbits(64):x}")


async def put(connection, ledger, name, content):
    is_new = ledger.content(name) is None
    ledger.will(name, content)
    if is_new:
        body = {"metadata": {"name": name, "labels": {"crash": ""}}, "data": {"content": content}}
        status, answer = await connection.ask("POST", MAPS, body)
    else:
        status, answer = await connection.ask("PATCH", f"{MAPS}/{name}", {"data": {"content": content}},
                                              "application/merge-patch+json")
    assert status in (200, 201), f"{name}: {status} {answer}"
    ledger.did(name, answer["metadata"]["resourceVersion"])


async def follow(client, seen):
    """Goes on with a watch where it ended."""
    target = f"{MAPS}?{OURS}&watch=1&allowWatchBookmarks=true&resourceVersion={seen.version}"

    async def to_its_end(connection):
        async for event in connection.watch(target):
            seen.add(event)
    await until_killed(client, to_its_end)


async def at_the_server(connection):
    """All objects, as (version of the list, name -> (content, version))."""
    status, answer = await connection.ask("GET", f"{MAPS}?{OURS}")
    assert status == 200, answer
    return int(answer["metadata"]["resourceVersion"]), {
        item["metadata"]["name"]: (item["data"]["content"], int(item["metadata"]["resourceVersion"]))
        for item in answer["items"]}


async def one_round(server, ledger, watchers, dice):
    if dice.random() < 0.2:
        await server.start()
        await asyncio.sleep(dice.uniform(0, LONGEST_START_SECONDS))
        await server.kill()
    await server.start()
    client = await server.ready()
    version = await look(client, ledger)
    watches = [asyncio.create_task(follow(client, seen)) for seen in watchers]
    await settled(asyncio.gather(*(seen.reaches(version) for seen in watchers)), watches)
    for seen in watchers:
        seen.compare(ledger)
    ledger.begin()
    writes = [asyncio.create_task(write(client, ledger, number, dice)) for number in range(CONNECTIONS)]
    # The moment of the kill is counted from the first write: connecting takes longest.
    await settled(ledger.first_write(), watches + writes)
    await asyncio.sleep(dice.uniform(0, LONGEST_LIFE_SECONDS))
    await server.kill()
    await asyncio.wait_for(asyncio.gather(*watches, *writes), HANGS_SECONDS)


async def look(client, ledger):
    """Compares what is there; then writes, so that watches have something to reach: gives its version."""
    connection = await Connection.open(client)
    ledger.compare(*await at_the_server(connection))
    await put(connection, ledger, "last", f"after {ledger.latest}")
    connection.close()
    return ledger.latest


async def settled(wanted, tasks):
    """Waits for something unless a task that should go on has failed before."""
    wanted = asyncio.ensure_future(wanted)
    done, _ = await asyncio.wait([wanted, *tasks], timeout=HANGS_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    assert done, "nothing happens any more"
    for task in done:
        task.result()
    assert wanted in done, "a connection ended, and nobody had killed the server"


async def run(options, directory):
    """How many rounds there were, and the ledger."""
    dice = random.Random(options.seed)
    server, ledger = Server(directory), Ledger()
    await server.start()
    version, _ = await at_the_server(await Connection.open(await server.ready()))
    await server.kill()
    watchers = [Seen(version) for _ in range(WATCHERS)]
    started, rounds = time.monotonic(), 0
    try:
        while rounds < options.rounds and time.monotonic() - started < options.minutes * 60:
            await one_round(server, ledger, watchers, dice)
            rounds += 1
    finally:
        if server.process.returncode is None:
            await server.kill()
    return rounds, ledger


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--minutes", type=float, default=60, help="begin no round after this time")
    options = parser.parse_args()
    name = "crash no answered write is lost"
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="millwright-crash-") as directory:
        try:
            rounds, ledger = asyncio.run(run(options, pathlib.Path(directory)))
        except AssertionError as error:
            print(f"not ok {name}\nseed {options.seed}\n{error}")
            sys.exit(1)
    print(f"ok {name}: {rounds} kills, {ledger.answered} answered writes, {ledger.doubtful} in doubt "
          f"({ledger.doubtful_done} of them done), {time.monotonic() - started:.0f} s, seed {options.seed}")


main()
