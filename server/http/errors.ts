/**
 * Every code an error answer may carry, with its status line; `docs/errors.md` has a section for each. The code is the
 * contract; the message is for people.
 */
export const STATUS_OF = {
  invalid_parameter: "400 Bad Request",
  missing_parameter: "400 Bad Request",
  invalid_json: "400 Bad Request",
  unknown_coin: "400 Bad Request",
  unknown_strategy: "400 Bad Request",
  start_date_out_of_range: "400 Bad Request",
  end_date_out_of_range: "400 Bad Request",
  idempotency_key_reused: "400 Bad Request",
  file_refused: "400 Bad Request",
  more_needed: "400 Bad Request",
  range_of_current: "400 Bad Request",
  missing_api_key: "401 Unauthorized",
  invalid_api_key: "401 Unauthorized",
  paid_plan_required: "403 Forbidden",
  link_invalid: "403 Forbidden",
  link_expired: "403 Forbidden",
  not_found: "404 Not Found",
  job_not_found: "404 Not Found",
  not_shared: "404 Not Found",
  method_not_allowed: "405 Method Not Allowed",
  upload_too_slow: "408 Request Timeout",
  snapshot_gone: "410 Gone",
  payload_too_large: "413 Content Too Large",
  unsupported_media_type: "415 Unsupported Media Type",
  range_not_satisfiable: "416 Range Not Satisfiable",
  rate_limited: "429 Too Many Requests",
  quota_exceeded: "429 Too Many Requests",
  concurrency_exceeded: "429 Too Many Requests",
  bytes_exceeded: "429 Too Many Requests",
  internal_error: "500 Internal Server Error",
  unavailable: "503 Service Unavailable",
} as const;

export type ErrorCode = keyof typeof STATUS_OF;
export type DomainErrorCode = Exclude<ErrorCode, "internal_error">;

/** A failure that the caller should read. It has no stack, which would be most of the cost of a refusal. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: DomainErrorCode;
  /** Header lines that belong to it. */
  readonly lines: string | undefined;

  constructor(
    code: DomainErrorCode,
    message: string,
    options?: ErrorOptions & { readonly lines?: string },
  ) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.lines = options?.lines;
  }
}

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What callers may know of an error: its code and message if it is a DomainError, otherwise only internal_error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  return {
    code: "internal_error",
    message: "a defect in this server; it was logged under the request id",
  };
}
