"""What can go wrong between a client and its daemon. What goes wrong in a program is a Result."""

from typing import Optional


class ApiError(Exception):
    """The daemon refused a request; nothing of it ran unless `code` says otherwise."""

    def __init__(self, status: int, code: str, message: str, field: Optional[str] = None,
                 retry_after: Optional[int] = None):
        super().__init__(f"{message} ({status} {code})")
        self.status = status
        self.code = code
        self.message = message
        self.field = field  # the request's field or header that is to blame
        self.retry_after = retry_after  # seconds; None: trying the same again is no use, or nobody knows when


class ProtocolError(Exception):
    """What answered is no Outrigger daemon, or a stream broke off before its end."""
