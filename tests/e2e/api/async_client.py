"""HTTP/1.1 over TLS with asyncio: many connections to one API server at once."""

import asyncio
import json

from client import Client


class Connection:
    """One connection: a request at a time, or one watch."""

    def __init__(self, client, reader, writer):
        self.client = client
        self.reader = reader
        self.writer = writer

    @staticmethod
    async def open(client: Client):
        reader, writer = await asyncio.open_connection(client.url.hostname, client.url.port, ssl=client.context,
                                                       limit=1 << 24)
        return Connection(client, reader, writer)

    def send(self, method, target, body=None, content_type="application/json"):
        payload = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} {target} HTTP/1.1", "Host: api", "Accept: application/json",
                *(f"{name}: {value}" for name, value in self.client.headers.items())]
        if payload:
            head += [f"Content-Type: {content_type}", f"Content-Length: {len(payload)}"]
        self.writer.write("\r\n".join([*head, "", ""]).encode() + payload)

    async def head(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        return int(lines[0].split(" ")[1]), headers

    async def ask(self, method, target, body=None, content_type="application/json"):
        """The answer as (status, value)."""
        self.send(method, target, body, content_type)
        status, headers = await self.head()
        if "content-length" in headers:
            text = await self.reader.readexactly(int(headers["content-length"]))
        else:
            text = b"".join([piece async for piece in self.chunks()])
        return status, json.loads(text)

    async def chunks(self):
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            yield await self.reader.readexactly(size)
            await self.reader.readexactly(2)

    async def watch(self, target):
        """Its events; ends or fails with the connection."""
        self.send("GET", target)
        status, headers = await self.head()
        if "content-length" in headers:
            text = await self.reader.readexactly(int(headers["content-length"]))
            raise AssertionError(f"{target}: {status} {text.decode()}")
        rest = b""
        async for chunk in self.chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield json.loads(line)

    def close(self):
        # Nobody is there to say farewell to when the server was killed.
        self.writer.transport.abort()
