"""Server-sent events as https://html.spec.whatwg.org/multipage/server-sent-events.html has them, strictly."""

from support.http import ProtocolError, strict_json


class EventReader:
    """The events of one streamed answer, one after the other as they come over a Connection."""
    def __init__(self, connection):
        self.connection = connection
        self.status, _, self.headers = connection._read_head()
        self.comments = 0
        self._text = b""
        self._ended = False

    def next(self):
        """The next event as (name, data), or None after the last."""
        while True:
            while b"\n\n" not in self._text:
                if not self._read_chunk():
                    return None
            block, _, self._text = self._text.partition(b"\n\n")
            event = self._parse(block)
            if event is not None:
                return event

    def rest(self):
        """All events that are still to come."""
        events = []
        while (event := self.next()) is not None:
            events.append(event)
        return events

    def _parse(self, block):
        lines = block.split(b"\n")
        if all(line.startswith(b":") for line in lines):
            self.comments += len(lines)
            return None
        if len(lines) != 2 or not lines[0].startswith(b"event: ") or not lines[1].startswith(b"data: "):
            raise ProtocolError(f"not an event: {block[:200]!r}")
        return lines[0][7:].decode("ascii"), strict_json(lines[1][6:])

    def _read_chunk(self):
        if self._ended:
            return False
        size = int(self.connection._read_until(b"\r\n"), 16)
        self._text += self.connection._read_exactly(size)
        self.connection._read_exactly(2)
        self._ended = size == 0
        if self._ended and self._text:
            raise ProtocolError(f"the stream ends within an event: {self._text[:200]!r}")
        return not self._ended


def text_of(events, name):
    """All that was written to one stream."""
    return "".join(data["data"] for event, data in events if event == name)
