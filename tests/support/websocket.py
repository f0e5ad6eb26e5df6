"""A WebSocket client (RFC 6455) that shows what really came: frames, codes, reasons. Strict with its server."""

import base64
import hashlib
import json
import os
import struct

from support.http import ProtocolError, encode_request, strict_json

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def handshake(path, headers=None, host="127.0.0.1"):
    """The request as bytes, and the key in it."""
    key = base64.b64encode(os.urandom(16)).decode()
    fields = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
              **(headers or {})}
    return encode_request("GET", path, None, fields, host), key


class WebSocket:
    """One connection. `close_code` and `close_reason` once the server has closed it."""
    def __init__(self, connection, path, headers=None):
        self.connection = connection
        self.close_code = self.close_reason = None
        self.pings = 0
        self.answers_pings = True
        request, key = handshake(path, headers)
        connection.socket.sendall(request)
        status, reason, fields = connection._read_head()
        if status != 101:
            raise ProtocolError(f"no upgrade: {status} {reason}")
        accept = base64.b64encode(hashlib.sha1((key + _GUID).encode()).digest()).decode()
        wanted = ("websocket", "upgrade", accept)
        got = (fields.get("upgrade", "").lower(), fields.get("connection", "").lower(), fields.get("sec-websocket-accept"))
        if got != wanted or "sec-websocket-extensions" in fields:
            raise ProtocolError(f"a handshake of {fields}")

    def send_frame(self, opcode, payload, final=True):
        head = bytes([(0x80 if final else 0) | opcode])
        if len(payload) < 126:
            head += bytes([0x80 | len(payload)])
        elif len(payload) < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack("!H", len(payload))
        else:
            head += bytes([0x80 | 127]) + struct.pack("!Q", len(payload))
        mask = os.urandom(4)
        pad = mask * (len(payload) // 4 + 1)
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(pad[:len(payload)], "big")).to_bytes(len(payload), "big")
        self.connection.socket.sendall(head + mask + masked)

    def send(self, message):
        """A dict as JSON, text as it is, bytes as a binary message."""
        if isinstance(message, bytes):
            return self.send_frame(BINARY, message)
        return self.send_frame(TEXT, (message if isinstance(message, str) else json.dumps(message)).encode())

    def receive(self):
        """The next message, parsed; None once the connection is closed, by the server's own close or broken off."""
        while self.close_code is None:
            opcode, payload = self._read_frame()
            if opcode == TEXT:
                return strict_json(payload)
            if opcode == PING:
                self.pings += 1
                if self.answers_pings:
                    self.send_frame(PONG, payload)
            elif opcode == CLOSE:
                self.close_code = struct.unpack("!H", payload[:2])[0] if payload else 1005
                self.close_reason = payload[2:].decode("utf-8")
                self.connection.socket.sendall(b"\x88\x80\0\0\0\0")
            elif opcode != PONG:
                raise ProtocolError(f"a frame of type {opcode}")
        return None

    def rest(self):
        """All messages that are still to come."""
        messages = []
        while (message := self.receive()) is not None:
            messages.append(message)
        return messages

    def close(self, code=1000):
        self.send_frame(CLOSE, struct.pack("!H", code))
        return self.rest()

    def _read_frame(self):
        first, second = self.connection._read_exactly(2)
        if first & 0x70 or second & 0x80 or not first & 0x80:
            raise ProtocolError(f"a frame that begins with {first:#x} {second:#x}")
        size = second
        if size == 126:
            size, = struct.unpack("!H", self.connection._read_exactly(2))
        elif size == 127:
            size, = struct.unpack("!Q", self.connection._read_exactly(8))
        return first & 0xF, self.connection._read_exactly(size)
