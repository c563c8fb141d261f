"""What the API refuses, as types. The code is for programs, the message is for people."""


class HindsightError(Exception):
    """An answer that is not a 200, or no answer: then the status is 0."""

    def __init__(self, status: int, code: str, message: str, docs_url: str = "", request_id: str = "") -> None:
        super().__init__(f"{code}: {message}")
        self.status, self.code, self.message = status, code, message
        self.docs_url, self.request_id = docs_url, request_id
        self.retry_after: int | None = None
        """Seconds after which the server expects the call to succeed. For a spent quota these may be days."""


class InvalidRequest(HindsightError):
    """The request is at fault: its message says what was given and what is allowed."""


class MoreNeeded(InvalidRequest):
    """A file can be checked once these questions are answered. Each names the argument that answers it."""

    @property
    def questions(self) -> list[str]:
        return self.message.replace('") ', '")\n').split("\n")


class Unauthorized(HindsightError):
    """The key is missing or wrong, or its plan does not include the call."""


class RateLimited(HindsightError):
    """More requests than the plan allows in a minute, or more jobs at once."""


class QuotaExceeded(RateLimited):
    """The calls of the month are used up."""


class Unavailable(HindsightError):
    """The service cannot answer now, or the connection was lost."""


class JobFailed(HindsightError):
    """A backtest or study that ended in an error."""


def error_type(status: int, code: str) -> type[HindsightError]:
    by_code = {"more_needed": MoreNeeded, "quota_exceeded": QuotaExceeded}
    by_status = {401: Unauthorized, 403: Unauthorized, 429: RateLimited, 503: Unavailable}
    other = InvalidRequest if 400 <= status < 500 else HindsightError
    return by_code.get(code) or by_status.get(status, other)
