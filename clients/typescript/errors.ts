export interface Said {
  readonly code: string;
  readonly message: string;
  readonly docs_url?: string;
}

/** What the API refuses. The code is for programs, the message is for people. The status is 0 if there was no answer. */
export class HindsightError extends Error {
  readonly code: string;
  readonly docsUrl: string;

  constructor(
    readonly status: number,
    { code, message, docs_url = "" }: Said,
    readonly requestId = "",
    /** Seconds after which the server expects the call to succeed. For a spent quota these may be days. */
    readonly retryAfter?: number,
  ) {
    super(
      `${code}: ${message}${(retryAfter ?? 0) > 60 ? ` (again in ${retryAfter} seconds)` : ""}`,
    );
    this.name = new.target.name;
    this.code = code;
    this.docsUrl = docs_url;
  }
}

/** The request is at fault: its message says what was given and what is allowed. */
export class InvalidRequest extends HindsightError {}

/** A file can be checked once its questions are answered. */
export class MoreNeeded extends InvalidRequest {
  get questions(): string[] {
    return this.message.slice("more_needed: ".length).split(/(?<="\)) /);
  }
}

/** The key is missing or wrong, or its plan does not include the call. */
export class Unauthorized extends HindsightError {}

/** More requests than the plan allows in a minute, or more jobs at once. */
export class RateLimited extends HindsightError {}

/** The calls of the month are used up. */
export class QuotaExceeded extends RateLimited {}

/** The service cannot answer now, or the connection was lost. */
export class Unavailable extends HindsightError {}

/** A backtest or study that ended in an error. */
export class JobFailed extends HindsightError {}

const BY_CODE = new Map([["more_needed", MoreNeeded]]).set(
  "quota_exceeded",
  QuotaExceeded as never,
);
const BY_STATUS = new Map([401, 403].map((status) => [status, Unauthorized]))
  .set(429, RateLimited)
  .set(503, Unavailable);
const EXCERPT = 200;

/** The error of an answer. What is not ours, such as a proxy's page, is quoted. */
export function errorOf(status: number, body: string, headers: Headers): HindsightError {
  const said = saidIn(body) ?? {
    code: "not_hindsight",
    message: `status ${status}, and not an answer of the API: ${body.trim().slice(0, EXCERPT)}`,
  };
  const other = status >= 400 && status < 500 ? InvalidRequest : HindsightError;
  const Kind = BY_CODE.get(said.code) ?? BY_STATUS.get(status) ?? other;
  const seconds = Number(/^\d+$/.exec(headers.get("Retry-After") ?? "") ?? 1);
  const retryAfter = status === 429 || status === 503 ? Math.max(1, seconds) : undefined;
  return new Kind(status, said, headers.get("X-Request-Id") ?? "", retryAfter);
}

function saidIn(body: string): Said | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: Said };
    return typeof error?.code === "string" ? error : undefined;
  } catch {
    return undefined; // not JSON
  }
}
