import { errorBody } from "../http/error-replies.ts";
import { STATUS_OF, type ErrorCode } from "../http/errors.ts";
import { BODY_MAX_BYTES } from "../http/request.ts";
import { ACCOUNT_HEADERS, headerRefs, type HeaderName } from "./openapi-headers.ts";

interface ErrorResponse {
  readonly name: string;
  readonly description: string;
  /** Those of a known caller, if none are named. */
  readonly headers?: readonly HeaderName[];
  /** One code with this status, and a message as it is sent. */
  readonly example: readonly [code: ErrorCode, message: string];
}

const UNKNOWN_CALLER: readonly HeaderName[] = ["X-Request-Id", "Cache-Control"];
const KNOWN_CALLER: readonly HeaderName[] = [...ACCOUNT_HEADERS, "Cache-Control"];

/** Every error an operation may answer, by status. */
const ERROR_RESPONSES = {
  400: {
    name: "BadRequest",
    description:
      "a parameter or the body is not valid, or the request is not HTTP/1.1 as RFC 9112 defines it",
    example: ["unknown_coin", 'coin "btx" is not on the board; nearest: "btc", "eth", "bnb"'],
  },
  401: {
    name: "Unauthorized",
    description: "the API key is missing or not valid",
    headers: [...UNKNOWN_CALLER, "WWW-Authenticate"],
    example: ["invalid_api_key", "the API key is malformed, mistyped, unknown or revoked"],
  },
  403: {
    name: "PaidPlanRequired",
    description: "backtests need a paid plan and a live key",
    example: ["paid_plan_required", 'plan "free" has no backtests; they need a paid plan'],
  },
  404: {
    name: "NotFound",
    description: "the account has no job with this id, or there is no such path",
    example: ["job_not_found", 'this account has no backtest with the id "7"'],
  },
  405: {
    name: "MethodNotAllowed",
    description: "the path does not take this method",
    headers: [...UNKNOWN_CALLER, "Allow"],
    example: ["method_not_allowed", 'this path takes GET, HEAD, OPTIONS, got "POST"'],
  },
  413: {
    name: "PayloadTooLarge",
    description: `the body is over ${BODY_MAX_BYTES / 1024} KiB, or a file is too large to be checked here`,
    example: ["payload_too_large", `the body is larger than the allowed ${BODY_MAX_BYTES} bytes`],
  },
  415: {
    name: "UnsupportedMediaType",
    description: "the body is not declared as application/json, or is compressed",
    example: [
      "unsupported_media_type",
      '"Content-Type" must be "application/json", got "text/plain"',
    ],
  },
  429: {
    name: "TooManyRequests",
    description: "the rate limit, the quota or the limit on concurrent backtests is reached",
    headers: [...KNOWN_CALLER, "Retry-After"],
    example: [
      "rate_limited",
      'plan "developer" allows 60 requests in any 60 seconds; retry in 12 s',
    ],
  },
  500: {
    name: "InternalError",
    description: "a defect in the server",
    example: ["internal_error", "a defect in this server; it was logged under the request id"],
  },
  503: {
    name: "Unavailable",
    description:
      "no snapshot is loaded, the server is shutting down, its store is out of reach, or too many checks are under way",
    headers: [...UNKNOWN_CALLER, "Retry-After"],
    example: ["unavailable", "the server is shutting down"],
  },
} as const satisfies Record<number, ErrorResponse>;

export type ErrorStatus = keyof typeof ERROR_RESPONSES;

/** The document's `responses`. Their schema is the component `Error`. */
export function errorResponses(publicUrl: string): Record<string, object> {
  const entries: [string, ErrorResponse][] = Object.entries(ERROR_RESPONSES);
  return Object.fromEntries(
    entries.map(([status, { name, description, headers = KNOWN_CALLER, example }]) => {
      const [code, message] = example;
      const codes = Object.entries(STATUS_OF).filter(([, line]) => line.startsWith(status));
      const listed = codes.map(([each]) => `\`${each}\``).join(", ");
      return [
        name,
        {
          description: `${description}: ${listed}`,
          headers: headerRefs(headers),
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Error" },
              example: errorBody({ code, message }, publicUrl),
            },
          },
        },
      ];
    }),
  );
}

/** References to the responses of these statuses. */
export function errorRefs(...statuses: readonly ErrorStatus[]): object {
  const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return Object.fromEntries(
    statuses.map((status) => [status, ref(ERROR_RESPONSES[status].name)]),
  ) as object;
}
