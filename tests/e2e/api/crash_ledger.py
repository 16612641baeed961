"""What a server that is killed again and again must still know: the writers' side and the watchers' side."""

import asyncio


class Ledger:
    """Of each object, the last state that was answered and what was asked for and not answered."""

    def __init__(self):
        self.states = {}  # name -> (content or None if there is none, version or None if not told)
        self.doubts = {}  # name -> content (None: deleted) of a write without an answer
        self.latest = 0  # the highest version that anybody was told
        self.versions = set()  # of this life's answered writes
        self.answered = self.doubtful = self.doubtful_done = 0
        self._written = asyncio.Event()

    def content(self, name):
        return self.states.get(name, (None, None))[0]

    def will(self, name, content):
        self.doubts[name] = content

    def did(self, name, version):
        version = int(version) if version else None
        before = self.states.get(name, (None, None))[1]
        if version:
            assert version > (before or 0), f"{name}: version {version} after {before}"
            assert version not in self.versions, f"{name}: version {version} was given twice"
            self.versions.add(version)
            self.latest = max(self.latest, version)
        self.states[name] = (self.doubts.pop(name), version)
        self.answered += 1
        self._written.set()

    async def first_write(self):
        await self._written.wait()

    def compare(self, version, objects):
        """With what a server has that began a new life."""
        assert version >= self.latest, f"the server is at version {version}, and told {self.latest} before"
        for name in self.states.keys() | objects.keys() | self.doubts.keys():
            self._compare_one(name, objects.get(name, (None, None)))
        self.doubtful += len(self.doubts)
        self.states = dict(objects)
        self.doubts = {}

    def _compare_one(self, name, found):
        content, version = self.states.get(name, (None, None))
        is_answered = found[0] == content and (version is None or found[1] == version)
        if name not in self.doubts:
            assert is_answered, f"{name}: {content} at version {version} was answered, and there is {found}"
            return
        wanted = self.doubts[name]
        is_doubtful = found[0] == wanted and (found[1] is None or found[1] > (version or 0))
        assert is_answered or is_doubtful, f"{name}: {content} at {version} or {wanted} after it, and there is {found}"
        self.doubtful_done += not is_answered

    def begin(self):
        """The writes that follow are those of a new life."""
        self._written.clear()
        self.versions = set()


class Seen:
    """What one watch saw, over all its connections."""

    def __init__(self, version):
        self.version = version
        self.objects = {}  # name -> (content, version)
        self.versions = set()  # since it was last compared
        self._moved = asyncio.Event()

    def add(self, event):
        kind, thing = event["type"], event["object"]
        assert kind in ("ADDED", "MODIFIED", "DELETED", "BOOKMARK"), f"a watch from {self.version} got {event}"
        version = int(thing["metadata"]["resourceVersion"])
        if kind == "BOOKMARK":
            assert version >= self.version, f"bookmark {version} after {self.version}"
        else:
            self._change(kind, thing, version)
        self.version = version
        self._moved.set()

    def _change(self, kind, thing, version):
        assert version > self.version, f"event {version} after {self.version}: a repeat"
        name = thing["metadata"]["name"]
        assert (name in self.objects) == (kind != "ADDED"), f"{kind} of {name}, known: {self.objects.get(name)}"
        self.versions.add(version)
        if kind == "DELETED":
            del self.objects[name]
        else:
            self.objects[name] = (thing["data"]["content"], version)

    async def reaches(self, version):
        while self.version < version:
            self._moved.clear()
            await self._moved.wait()

    def compare(self, ledger):
        """With all that is there; every answered write since the last time must have been seen."""
        missed = ledger.versions - self.versions
        assert not missed, f"a watch did not see versions {sorted(missed)[:5]}"
        differ = set(self.objects.items()) ^ {(name, state) for name, state in ledger.states.items()}
        assert not differ, f"a watch knows other objects than there are: {sorted(differ)[:5]}"
        self.versions = set()
