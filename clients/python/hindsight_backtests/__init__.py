"""Hindsight over HTTP: how crypto strategies really did, and how much of your own backtest may be luck."""

from .client import Hindsight as Hindsight
from .client import Job as Job
from .errors import HindsightError as HindsightError
from .errors import InvalidRequest as InvalidRequest
from .errors import JobFailed as JobFailed
from .errors import MoreNeeded as MoreNeeded
from .errors import QuotaExceeded as QuotaExceeded
from .errors import RateLimited as RateLimited
from .errors import Unauthorized as Unauthorized
from .errors import Unavailable as Unavailable
