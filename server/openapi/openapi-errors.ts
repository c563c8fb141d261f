import { z } from "zod";
import { STATUS_OF, type ErrorCode } from "../http/errors.ts";
import { BODY_MAX_BYTES, SHORT_BODY_MAX_BYTES } from "../http/request.ts";
import { MORE } from "./answer-schema.ts";
import { ACCOUNT_HEADERS, headerRefs, type HeaderName } from "./openapi-headers.ts";

const ERROR_CODES = Object.keys(STATUS_OF) as [ErrorCode, ...ErrorCode[]];

export const ErrorBody = z
  .looseObject({
    error: z.looseObject({
      code: z.enum(ERROR_CODES).meta({
        description: `machine-readable; its meaning never changes; ${MORE}`,
        examples: ["unknown_coin"],
      }),
      message: z.string().meta({
        description: "for people: what was given and what is allowed",
        examples: ['coin "btx" is not on the board; nearest: "btc", "eth", "bnb"'],
      }),
      docs_url: z.url().describe("the code's section of the documentation"),
    }),
  })
  .meta({ id: "Error" });

interface ErrorResponse {
  readonly name: string;
  readonly description: string;
  /** By default those of an answer to a known caller. */
  readonly headers?: readonly HeaderName[];
}

const UNKNOWN_CALLER: readonly HeaderName[] = ["X-Request-Id", "Cache-Control"];
const KNOWN_CALLER: readonly HeaderName[] = [...ACCOUNT_HEADERS, "Cache-Control"];

const ERROR_RESPONSES = {
  400: {
    name: "BadRequest",
    description: "a parameter or the body is not valid, or the request is not valid HTTP/1.1",
  },
  401: {
    name: "Unauthorized",
    description: "the API key is missing or not valid",
    headers: [...UNKNOWN_CALLER, "WWW-Authenticate"],
  },
  403: {
    name: "PaidPlanRequired",
    description: "backtests and studies need a paid plan and a live key",
  },
  404: {
    name: "NotFound",
    description: "the account has no job with this id, or there is no such path, snapshot or file",
  },
  405: {
    name: "MethodNotAllowed",
    description: "the path does not take this method",
    headers: [...UNKNOWN_CALLER, "Allow"],
  },
  408: {
    name: "UploadTooSlow",
    description: "the file came too slowly, and the connection is closed",
  },
  410: {
    name: "SnapshotGone",
    description: "the snapshot is not kept any more",
  },
  413: {
    name: "PayloadTooLarge",
    description: `the body is over ${SHORT_BODY_MAX_BYTES / 1024} KiB, that of a study over ${BODY_MAX_BYTES / 1024} KiB, or a file is too large to be checked here`,
  },
  415: {
    name: "UnsupportedMediaType",
    description: "the body is not declared as application/json, or is compressed",
  },
  416: {
    name: "RangeNotSatisfiable",
    description: "the range is not one of the file of a snapshot",
  },
  429: {
    name: "TooManyRequests",
    description:
      "the rate limit of the account, or without a valid key that of the network, the quota or the limit on concurrent backtests and studies is reached",
    headers: [...KNOWN_CALLER, "Retry-After"],
  },
  500: {
    name: "InternalError",
    description: "a defect in the server",
  },
  503: {
    name: "Unavailable",
    description:
      "no snapshot is loaded, the server is shutting down, its store is out of reach, or checks of the account are under way",
    headers: [...UNKNOWN_CALLER, "Retry-After"],
  },
} as const satisfies Record<number, ErrorResponse>;

export type ErrorStatus = keyof typeof ERROR_RESPONSES;

/** The document's `responses`. Their schema is the component `Error`. */
export function errorResponses(): Record<string, object> {
  const entries: [string, ErrorResponse][] = Object.entries(ERROR_RESPONSES);
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return Object.fromEntries(
    entries.map(([status, { name, description, headers = KNOWN_CALLER }]) => {
      const codes = Object.entries(STATUS_OF).filter(([, line]) => line.startsWith(status));
      const listed = codes.map(([each]) => `\`${each}\``).join(", ");
      const words = `${description}: ${listed}`;
      return [name, { description: words, headers: headerRefs(headers), content }];
    }),
  );
}

export function errorRefs(...statuses: readonly ErrorStatus[]): object {
  const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return Object.fromEntries(
    statuses.map((status) => [status, ref(ERROR_RESPONSES[status].name)]),
  ) as object;
}
