"""The client: one method a route."""

import time
import urllib.parse
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from .errors import ApiError, ProtocolError
from .requests import request_body
from .results import Cause, Event, Job, Result, parse_job, parse_result
from .transport import Transport


class Client:
    """Asks one daemon on behalf of one tenant.

    `timeout` bounds, in seconds, each wait for the network: it must be longer than the longest job that is waited for.
    Errors: ApiError where the daemon refuses, ConnectionError or TimeoutError where it can't be reached, ProtocolError
    where something else answers.
    """

    def __init__(self, server: str = "http://127.0.0.1:8080", *, tenant: str = "default", token: Optional[str] = None,
                 timeout: float = 120.0):
        self._transport = Transport(server, token, timeout)
        self.tenant = tenant

    # -- running -----------------------------------------------------------------------------------------------------

    def request(self, language: str, code: str, **more: Any) -> Dict[str, Any]:
        """A request for batch(). `more`: stdin, args, env, files, limits, collect, binary (see requests.request_body)."""
        return request_body(self.tenant, language, code, **more)

    def run(self, language: str, code: str, *, idempotency_key: Optional[str] = None, **more: Any) -> Result:
        """Runs a program to its end. With the same `idempotency_key` and request the first answer comes again."""
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        answer = self._transport.ask("POST", "/api/v1/execute", self.request(language, code, **more), headers)
        return parse_result(answer)

    def stream(self, language: str, code: str, **more: Any) -> Iterator[Event]:
        """Runs a program and tells what it writes as it does. The last event is `finished`, with the result."""
        finished = False
        for name, data in self._transport.events("/api/v1/execute", self.request(language, code, **more)):
            if name == "error":
                error = data["error"]
                raise ApiError(500, error["code"], error["message"], error.get("field"))
            finished = name == "finished"
            yield Event(name, data.get("job_id"), data.get("data"), parse_result(data) if finished else None)
        if not finished:
            raise ProtocolError("the stream of events ended before the program's result had come")

    def batch(self, requests: Sequence[Dict[str, Any]]) -> List[Union[Result, Cause]]:
        """Runs up to 64 requests; for each, in their order, its result, or as a Cause why it did not run."""
        results = self._transport.ask("POST", "/api/v1/batch", {"jobs": list(requests)})["results"]
        return [Cause(each["error"]["code"], each["error"]["message"]) if "error" in each else parse_result(each)
                for each in results]

    # -- the queue ---------------------------------------------------------------------------------------------------

    def submit(self, language: str, code: str, *, callback_url: Optional[str] = None,
               idempotency_key: Optional[str] = None, **more: Any) -> str:
        """Queues a program; its job_id. Once this returns it will be run, whatever dies meanwhile."""
        body = self.request(language, code, **more)
        if callback_url is not None:
            body["callback_url"] = callback_url
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        return self._transport.ask("POST", "/api/v1/jobs", body, headers)["job_id"]

    def job(self, job_id: str) -> Job:
        """How a queued job stands."""
        return parse_job(self._transport.ask("GET", "/api/v1/jobs/" + _part(job_id)))

    def wait(self, job_id: str, *, timeout: float = 300.0, interval: float = 0.1) -> Result:
        """The result of a queued job, asked for every `interval` seconds; TimeoutError after `timeout`.

        ApiError where it was given up without one.
        """
        end = time.monotonic() + timeout
        while True:
            job = self.job(job_id)
            if job.result is not None:
                return job.result
            if job.state == "dead":
                cause = job.error or Cause("dead", "the job was given up")
                raise ApiError(200, cause.code, cause.text)
            if time.monotonic() > end:
                raise TimeoutError(f"job {job_id} is still {job.state} after {timeout} s")
            time.sleep(interval)

    def cancel(self, job_id: str) -> None:
        """Ends a job that waits or runs; it ends as `cancelled`, unless it has ended by itself before."""
        self._transport.ask("DELETE", "/api/v1/runs/" + _part(job_id))

    # -- looking -----------------------------------------------------------------------------------------------------

    def runs(self, *, status: Optional[str] = None, limit: Optional[int] = None) -> Iterator[Dict[str, Any]]:
        """What this tenant has run, newest first, page by page. `limit`: how many at most."""
        query: Dict[str, str] = {"tenant_id": self.tenant}
        if status is not None:
            query["status"] = status
        left = limit
        while left is None or left > 0:
            query["limit"] = str(100 if left is None else min(left, 100))
            page = self._transport.ask("GET", "/api/v1/runs?" + urllib.parse.urlencode(query))
            yield from page["runs"]
            left = None if left is None else left - len(page["runs"])
            if page["next_before"] is None:
                return
            query["before"] = page["next_before"]

    def run_record(self, job_id: str) -> Dict[str, Any]:
        """What the audit trail keeps of one run."""
        return self._transport.ask("GET", "/api/v1/runs/" + _part(job_id))

    def languages(self) -> Dict[str, Any]:
        return self._transport.ask("GET", "/api/v1/languages")

    def health(self) -> Dict[str, Any]:
        """Also where it is unready."""
        return self._transport.ask("GET", "/health", accept_status=(503, ))


def _part(text: str) -> str:
    return urllib.parse.quote(text, safe="")
