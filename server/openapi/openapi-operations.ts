import { z } from "zod";
import type { Endpoint } from "../routes/endpoint.ts";
import { FORMATS, formatsOf } from "../requests/formats/formats.ts";
import { schemaOfJob, schemaOfRecord } from "./answer-schema.ts";
import { componentOf, jsonSchemaOf, type JsonSchema } from "./json-schema.ts";
import { errorRefs, type ErrorStatus } from "./openapi-errors.ts";
import { methodOf, pathOf } from "./operation-names.ts";
import { ACCOUNT_HEADERS, headerRefs, type HeaderName } from "./openapi-headers.ts";
import recorded from "./examples.json" with { type: "json" };

type Schemas = Record<string, JsonSchema>;

/** Recorded answers from a made-up market, by operation. `make golden` records them. */
const ANSWERS: Readonly<Record<string, object>> = recorded;

export const SHARED_PARAMETERS = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    // Without a pattern, which would say that any other text is refused: clients that validate would not send it.
    description: "echoed if it is 1 to 64 of A-Z a-z 0-9 _ and -; any other text is replaced",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "ETag of an answer you hold: while it is current, the answer is 304 and free",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "a repeat with the same key within 24 hours returns the same job, at no charge",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]*$" },
  },
};

const JOB_ID = {
  name: "id",
  in: "path",
  required: true,
  description: "job_id, from the answer of POST /backtests",
  schema: { type: "integer", format: "int64", minimum: 1 },
};

const PRIVATE_HEADERS: readonly HeaderName[] = [...ACCOUNT_HEADERS, "Cache-Control", "Vary"];
/** Those of an answer in CSV. */
const ROW_HEADERS: readonly HeaderName[] = ["Content-Disposition", "Link", "Synthetic"];
const DATA_HEADERS: readonly HeaderName[] = [...ACCOUNT_HEADERS, "ETag", "Cache-Control", "Vary"];

/** What the document says of a kind of endpoint. */
interface Kind {
  /** Of its 200. */
  readonly description: string;
  /** By default those of an answer that must not be stored. */
  readonly headers?: readonly HeaderName[];
  /** Besides those that every kind has. */
  readonly errors: readonly ErrorStatus[];
  /** The header field that it reads besides the request's id. */
  readonly field?: keyof typeof SHARED_PARAMETERS;
}

const KINDS: Readonly<Record<Endpoint["kind"], Kind>> = {
  read: {
    description: "the answer; costs one call of the quota",
    headers: DATA_HEADERS,
    errors: [400],
    field: "IfNoneMatch",
  },
  compute: { description: "the answer; costs one call of the quota", errors: [400, 413, 415] },
  check: {
    description: "the answer; costs the plan's check units",
    errors: [400, 408, 413, 415],
  },
  submit: {
    description:
      "the job is accepted and on disk; costs the plan's backtest units, a study those of a backtest for each 100 sets begun",
    errors: [400, 403, 413, 415],
    field: "IdempotencyKey",
  },
  poll: {
    description: "the state of the job; not charged",
    headers: [...PRIVATE_HEADERS, "Retry-After"],
    errors: [400, 404],
  },
  snapshots: { description: "the snapshots and files; not charged", errors: [400, 404, 410] },
  usage: { description: "the account after this request; not charged", errors: [400] },
};

const TEXT = { schema: { type: "string" } };
const FORMAT = {
  name: "format",
  in: "query",
  required: false,
  description: "how the answer is written; without it, the first of these that `Accept` names",
  schema: { type: "string", enum: FORMATS.map(({ name }) => name) },
};
const FIELDS = {
  name: "fields",
  in: "query",
  required: false,
  description:
    "members of `data` to answer with, separated by commas and within others by dots: `years.year,years.return_pct`; `attribution` is always there",
  schema: { type: "string", examples: ["attribution"] },
};
const NOT_MODIFIED = {
  description: "your copy is still current; not charged",
  headers: headerRefs(DATA_HEADERS),
};

/**
 * An endpoint's path and its item in the document, made from the schemas that check requests and describe answers, with
 * recorded answers as examples.
 */
export function pathItemOf(
  endpoint: Endpoint,
  schemas: Schemas,
): readonly [path: string, item: object] {
  const { kind, operationId, summary, description } = endpoint;
  const { description: words, errors, headers = PRIVATE_HEADERS } = KINDS[kind];
  const body = requestBody(endpoint, schemas);
  const operation = {
    operationId,
    tags: [endpoint.tag],
    summary,
    description,
    parameters: parametersOf(endpoint),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      200: {
        description: words,
        headers: headerRefs([...headers, ...(endpoint.rows ? ROW_HEADERS : [])]),
        content: content(endpoint, schemas),
      },
      ...(kind === "read" ? { 304: NOT_MODIFIED } : {}),
      ...errorRefs(401, 405, 429, 500, 503, ...errors),
    },
  };
  return [pathOf(endpoint), { [methodOf(endpoint)]: operation }];
}

function parametersOf(endpoint: Endpoint): readonly object[] {
  const { field } = KINDS[endpoint.kind];
  const fields: (keyof typeof SHARED_PARAMETERS)[] = ["RequestId", ...(field ? [field] : [])];
  return [
    ...("query" in endpoint ? queryParameters(endpoint.query) : []),
    ...(endpoint.kind === "poll" ? [JOB_ID] : []),
    ...(formatsOf(endpoint).length > 1 ? [FORMAT] : []),
    ...(endpoint.kind === "poll" ? [partOf(endpoint.parts)] : []),
    ...(endpoint.kind === "submit" ? [] : [FIELDS]),
    ...fields.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function partOf(parts: readonly string[]): object {
  return {
    name: "part",
    in: "query",
    required: false,
    description: "the list of the result that the rows of CSV are of",
    schema: { type: "string", enum: parts, default: parts[0] },
  };
}

function content(endpoint: Endpoint, schemas: Schemas): object {
  const schema = answerSchema(endpoint, schemas);
  const json = { schema, examples: ANSWERS[endpoint.operationId] };
  const [, ...others] = formatsOf(endpoint);
  return {
    "application/json": json,
    ...Object.fromEntries(others.map(({ mediaType }) => [mediaType, TEXT])),
  };
}

/** The `meta` of every 200. `send-reply.ts` writes its text. */
const Meta = z
  .looseObject({
    plan: z.string().describe("name of the account's plan in force"),
    quota: z.looseObject({
      used: z.int().describe("calls used of the month or trial, this one included"),
      limit: z.int().describe("calls the plan allows in it"),
      remaining: z.int().describe("calls left"),
    }),
    stale: z.boolean().optional().describe("true where prices end more than two days ago"),
    age_days: z.int().optional().describe("how many days ago, beside `stale`"),
  })
  .meta({ id: "Meta", description: "The state of the account after this call." });

/** The schema of `{"data", "meta"}`. */
function answerSchema({ operationId, data, kind }: Endpoint, schemas: Schemas): JsonSchema {
  const name = typeNameOf(operationId);
  const answer = jsonSchemaOf(z.looseObject({ data: z.unknown(), meta: Meta }), schemas);
  const schema = kind === "poll" ? schemaOfJob(name, data, schemas) : schemaOfRecord(data, schemas);
  const dataRef = componentOf(`${name}Data`, schema, schemas);
  const properties = { ...(answer["properties"] as object), data: dataRef };
  return componentOf(`${name}Answer`, { ...answer, properties }, schemas);
}

/** The name of an operation's types: `Signals` of `getSignals`, `PostBacktest` of `postBacktest`. */
function typeNameOf(operationId: string): string {
  const bare = operationId.replace(/^get/, "");
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

const FILE = { schema: { type: "string", format: "binary" } };
const RECORDS = {
  type: "object",
  properties: { backtest: FILE.schema, live: FILE.schema },
  required: ["backtest", "live"],
  additionalProperties: false,
};

/** The name under which the document lists an example. */
export function exampleName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** Undefined for operations without a body. */
function requestBody(endpoint: Endpoint, schemas: Schemas): object | undefined {
  if (endpoint.kind === "check") {
    return {
      required: true,
      description:
        "the file as its tool wrote it, with any content type; or a form with it and what it did live",
      content: {
        "application/octet-stream": FILE,
        "multipart/form-data": { schema: RECORDS },
      },
    };
  }
  if (!("body" in endpoint)) return undefined;
  const examples = Object.entries(endpoint.examples).map(([title, value]) => [
    exampleName(title),
    { summary: title, value },
  ]);
  const body = jsonSchemaOf(endpoint.body, schemas, "input");
  const schema = componentOf(`${typeNameOf(endpoint.operationId)}Body`, body, schemas);
  const json = { schema, examples: Object.fromEntries(examples) as object };
  return { required: true, content: { "application/json": json } };
}

function queryParameters(query: z.ZodObject): object[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, explode, ...rest } = jsonSchemaOf(schema as z.ZodType, {});
    const required = !(schema instanceof z.ZodOptional || schema instanceof z.ZodDefault);
    const style = explode === undefined ? {} : { style: "form", explode };
    return { name, in: "query", required, description, ...style, schema: rest };
  });
}
