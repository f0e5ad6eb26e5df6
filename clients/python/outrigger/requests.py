"""What a job is asked for with, as the daemon wants to read it."""

import base64
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Mapping, Optional, Union


@dataclass(frozen=True)
class File:
    """A file laid into the working directory before the program starts."""

    path: str
    content: Union[str, bytes]
    mode: int = 0o644

    def to_json(self) -> Dict[str, Any]:
        out: Dict[str, Any] = {"path": self.path}
        if isinstance(self.content, bytes):
            out.update(content=base64.b64encode(self.content).decode("ascii"), encoding="base64")
        else:
            out["content"] = self.content
        if self.mode != 0o644:
            out["mode"] = f"{self.mode:04o}"
        return out


def request_body(tenant: str, language: str, code: str, *, stdin: Optional[str] = None,
                 args: Optional[Iterable[str]] = None, env: Optional[Mapping[str, str]] = None,
                 files: Iterable[File] = (), limits: Optional[Mapping[str, Union[int, float]]] = None,
                 collect: Iterable[str] = (), binary: bool = False) -> Dict[str, Any]:
    """A request as POST /api/v1/execute takes it. What is not given is left out: the daemon's defaults hold."""
    body: Dict[str, Any] = {"tenant_id": tenant, "language": language, "code": code}
    if stdin is not None:
        body["stdin"] = stdin
    if args is not None:
        body["args"] = list(args)
    if env is not None:
        body["env"] = dict(env)
    if limits is not None:
        body["limits"] = dict(limits)
    laid = [file.to_json() for file in files]
    if laid:
        body["files"] = laid
    wanted = list(collect)
    if wanted:
        body["collect"] = wanted
    if binary:
        body["output_encoding"] = "base64"
    return body
