"""Client of Outrigger, an execution service for code nobody trusts. See Client."""

from .client import Client
from .errors import ApiError, ProtocolError
from .results import Cause, CollectedFile, CompileReport, Event, Job, Limits, Result, SecurityEvent
from .requests import File

__all__ = [
    "ApiError", "Cause", "Client", "CollectedFile", "CompileReport", "Event", "File", "Job", "Limits", "ProtocolError", "Result",
    "SecurityEvent"
]
