"""One HTTP request a connection, over the standard library."""

import http.client
import json
import urllib.parse
from typing import Any, Dict, Iterator, Mapping, Optional, Tuple

from .errors import ApiError, ProtocolError


class Transport:
    def __init__(self, server: str, token: Optional[str], timeout: float):
        parts = urllib.parse.urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/") or parts.query:
            raise ValueError(f"not a server's address: {server!r}; want one like http://127.0.0.1:8080")
        self._https = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._token = token
        self._timeout = timeout

    def _connect(self, timeout: Optional[float]) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._https else http.client.HTTPConnection
        return kind(self._host, self._port, timeout=self._timeout if timeout is None else timeout)

    def _send(self, connection: http.client.HTTPConnection, method: str, target: str, body: Any,
              headers: Mapping[str, str]) -> http.client.HTTPResponse:
        fields = {"Accept": "application/json", **headers}
        if self._token:
            fields["Authorization"] = f"Bearer {self._token}"
        data = None
        if body is not None:
            data = json.dumps(body, allow_nan=False).encode("utf-8")
            fields["Content-Type"] = "application/json"
        try:
            connection.request(method, target, data, fields)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before all of it was sent: the answer says why
        try:
            return connection.getresponse()
        except http.client.HTTPException as error:
            raise ProtocolError(f"{self._host} does not answer as HTTP wants it: {error!r}") from error

    def ask(self, method: str, target: str, body: Any = None, headers: Optional[Mapping[str, str]] = None,
            timeout: Optional[float] = None, accept_status: Tuple[int, ...] = ()) -> Any:
        """The answer's JSON. ApiError for a status of 300 and more, unless it is among `accept_status` and no error's body."""
        connection = self._connect(timeout)
        try:
            response = self._send(connection, method, target, body, headers or {})
            text = response.read()
            if response.status < 300:
                return _parse(text)
            refusal = _refusal(response, text)
            if response.status in accept_status and not isinstance(refusal, ApiError):
                return _parse(text)
            raise refusal
        finally:
            connection.close()

    def events(self, target: str, body: Any, timeout: Optional[float] = None) -> Iterator[Tuple[str, Dict[str, Any]]]:
        """Each server-sent event's name and data. Closing the iterator closes the connection."""
        connection = self._connect(timeout)
        try:
            response = self._send(connection, "POST", target, body, {"Accept": "text/event-stream"})
            if response.status != 200:
                raise _refusal(response, response.read())
            name, data = "", []
            for line in response:
                line = line.rstrip(b"\r\n")
                if line.startswith(b"event:"):
                    name = line[6:].strip().decode("ascii", "replace")
                elif line.startswith(b"data:"):
                    data.append(line[5:].removeprefix(b" "))
                elif not line and data:
                    yield name, _parse(b"\n".join(data))
                    name, data = "", []
        except http.client.HTTPException as error:
            raise ProtocolError(f"the stream of events broke off: {error!r}") from error
        finally:
            connection.close()


def _parse(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ProtocolError(f"the answer is no JSON: {text[:100]!r}") from error


def _refusal(response: http.client.HTTPResponse, text: bytes) -> Exception:
    try:
        error = json.loads(text)["error"]
        retry = response.getheader("Retry-After")
        return ApiError(response.status, error["code"], error["message"], error.get("field"),
                        int(retry) if retry and retry.isdigit() else None)
    except (ValueError, KeyError, TypeError):
        return ProtocolError(f"HTTP {response.status}, but not as Outrigger answers: {text[:100]!r}")
