import { z } from "zod";
import type {
  ComputeEndpoint,
  Endpoint,
  PollEndpoint,
  ReadEndpoint,
  SubmitEndpoint,
  UsageEndpoint,
} from "../routes/endpoint.ts";
import { Meta } from "../routes/envelope.ts";
import { exampleSnapshot } from "./example-snapshot.ts";
import { exampleAccepted, exampleJobs } from "./example-backtest.ts";
import { exampleUsage } from "./example-usage.ts";
import type { JsonSchema } from "./json-schema.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import { errorRefs } from "./openapi-errors.ts";
import { ACCOUNT_HEADERS, ANSWER_HEADERS, headerRefs } from "./openapi-headers.ts";
import { tagsOf } from "./openapi-tags.ts";

/** An operation of the document, with its path and method. */
export interface DocumentedOperation {
  readonly path: string;
  readonly method: "get" | "post";
  readonly operation: object;
}

type Schemas = Record<string, JsonSchema>;

const EXAMPLE_META = { plan: "developer", quota: { used: 42, limit: 10_000, remaining: 9_958 } };

export const SHARED_PARAMETERS = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    // No pattern: it would say that any other text is refused, and clients that validate would refuse it.
    description: "echoed if it is 1 to 64 of A-Z a-z 0-9 _ and -; any other text is replaced",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "the ETag of an answer you hold: if that is still current, the answer is 304 and free",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "a repeat with the same key within 24 hours returns the first call's job, at no charge",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]*$" },
  },
};

/** Made from the schemas that check requests and describe answers. */
export function operationOf(
  endpoint: Endpoint,
  schemas: Schemas,
  shown: ExampleAnswers,
): DocumentedOperation {
  switch (endpoint.kind) {
    case "read":
      return {
        path: endpoint.path,
        method: "get",
        operation: readOperation(endpoint, schemas, shown),
      };
    case "compute":
      return {
        path: endpoint.path,
        method: "post",
        operation: computeOperation(endpoint, schemas, shown),
      };
    case "submit":
      return {
        path: endpoint.path,
        method: "post",
        operation: submitOperation(endpoint, schemas, shown),
      };
    case "poll":
      return {
        path: `${endpoint.path}/{id}`,
        method: "get",
        operation: pollOperation(endpoint, schemas, shown),
      };
    case "usage":
      return {
        path: endpoint.path,
        method: "get",
        operation: usageOperation(endpoint, schemas, shown),
      };
  }
}

function readOperation(endpoint: ReadEndpoint, schemas: Schemas, shown: ExampleAnswers): object {
  return {
    ...wordsOf(endpoint),
    parameters: [
      ...queryParameters(endpoint.query),
      parameterRef("RequestId"),
      parameterRef("IfNoneMatch"),
    ],
    responses: {
      200: {
        description: "the answer; costs one call of the quota",
        headers: headerRefs(ANSWER_HEADERS),
        content: content(endpoint, schemas, shown.ofRead(endpoint)),
      },
      304: {
        description: "your copy is still current; not charged",
        headers: headerRefs([...ACCOUNT_HEADERS, "ETag", "Cache-Control", "Vary"]),
      },
      ...errorRefs("400", "401", "405", "429", "500", "503"),
    },
  };
}

function computeOperation(
  endpoint: ComputeEndpoint,
  schemas: Schemas,
  shown: ExampleAnswers,
): object {
  return {
    ...wordsOf(endpoint),
    parameters: [parameterRef("RequestId")],
    requestBody: requestBody(endpoint, schemas),
    responses: {
      200: {
        description: "the answer; costs one call of the quota",
        headers: headerRefs([...ACCOUNT_HEADERS, "Cache-Control", "Vary"]),
        content: content(endpoint, schemas, shown.ofCompute(endpoint)),
      },
      ...errorRefs("400", "401", "405", "413", "415", "429", "500", "503"),
    },
  };
}

function submitOperation(
  endpoint: SubmitEndpoint,
  schemas: Schemas,
  shown: ExampleAnswers,
): object {
  return {
    ...wordsOf(endpoint),
    parameters: [parameterRef("RequestId"), parameterRef("IdempotencyKey")],
    requestBody: requestBody(endpoint, schemas),
    responses: {
      200: {
        description: "the job is accepted and on disk; costs the plan's backtest units",
        headers: headerRefs([...ACCOUNT_HEADERS, "Cache-Control", "Vary"]),
        content: content(endpoint, schemas, shown.ofSubmit()),
      },
      ...errorRefs("400", "401", "403", "405", "413", "415", "429", "500", "503"),
    },
  };
}

function pollOperation(endpoint: PollEndpoint, schemas: Schemas, shown: ExampleAnswers): object {
  const id = {
    name: "id",
    in: "path",
    required: true,
    description: "job_id, from the answer of POST /backtests",
    schema: { type: "integer", minimum: 1 },
  };
  return {
    ...wordsOf(endpoint),
    parameters: [id, parameterRef("RequestId")],
    responses: {
      200: {
        description: "the state of the job; not charged",
        headers: headerRefs([...ACCOUNT_HEADERS, "Cache-Control", "Vary", "Retry-After"]),
        content: content(endpoint, schemas, shown.ofPoll()),
      },
      ...errorRefs("401", "404", "405", "429", "500", "503"),
    },
  };
}

function usageOperation(endpoint: UsageEndpoint, schemas: Schemas, shown: ExampleAnswers): object {
  return {
    ...wordsOf(endpoint),
    parameters: [parameterRef("RequestId")],
    responses: {
      200: {
        description: "the account after this request; not charged",
        headers: headerRefs([...ACCOUNT_HEADERS, "Cache-Control", "Vary"]),
        content: content(endpoint, schemas, shown.ofUsage()),
      },
      ...errorRefs("400", "401", "405", "429", "500", "503"),
    },
  };
}

function wordsOf({ path, operationId, summary, description }: Endpoint): object {
  return { operationId, tags: tagsOf(path), summary, description };
}

function parameterRef(name: keyof typeof SHARED_PARAMETERS): object {
  return { $ref: `#/components/parameters/${name}` };
}

function content(endpoint: Endpoint, schemas: Schemas, examples?: object): object {
  const schema = jsonSchemaOf(z.strictObject({ data: endpoint.data, meta: Meta }), schemas);
  return { "application/json": { schema, ...(examples === undefined ? {} : { examples }) } };
}

function requestBody(endpoint: ComputeEndpoint | SubmitEndpoint, schemas: Schemas): object {
  const examples = Object.entries(endpoint.examples).map(([title, value]) => [
    exampleName(title),
    { summary: title, value },
  ]);
  const schema = jsonSchemaOf(endpoint.body, schemas, "input");
  const json = { schema, examples: Object.fromEntries(examples) as object };
  return { required: true, content: { "application/json": json } };
}

function queryParameters(query: z.ZodObject): object[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = jsonSchemaOf(schema as z.ZodType, {});
    const required = !(schema instanceof z.ZodOptional || schema instanceof z.ZodDefault);
    return { name, in: "query", required, description, schema: rest };
  });
}

function exampleName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** Answers of the made-up market to an endpoint's examples. */
export class ExampleAnswers {
  readonly #snapshot = exampleSnapshot();

  ofRead(endpoint: ReadEndpoint): object {
    return Object.fromEntries(
      Object.entries(endpoint.examples).map(([title, query]) => {
        const given = endpoint.query.parse(query) as never;
        const resolved = endpoint.resolve(this.#snapshot, given) as never;
        const data = endpoint.answer(this.#snapshot, resolved);
        const asked = new URLSearchParams(query).toString();
        const summary = `${title}: ${endpoint.path}${asked === "" ? "" : `?${asked}`} (made-up prices)`;
        return [exampleName(title), { summary, value: { data, meta: EXAMPLE_META } }];
      }),
    );
  }

  ofCompute(endpoint: ComputeEndpoint): object {
    return Object.fromEntries(
      Object.entries(endpoint.examples).map(([title, body]) => {
        const data = endpoint.answer(this.#snapshot, endpoint.body.parse(body) as never);
        return [exampleName(title), { summary: title, value: { data, meta: EXAMPLE_META } }];
      }),
    );
  }

  ofSubmit(): object {
    const value = { data: exampleAccepted(this.#snapshot), meta: EXAMPLE_META };
    return { "a-job": { summary: "a job that was taken in", value } };
  }

  ofPoll(): object {
    return Object.fromEntries(
      Object.entries(exampleJobs(this.#snapshot)).map(([title, data]) => {
        const summary = `${title} (made-up prices)`;
        return [exampleName(title), { summary, value: { data, meta: EXAMPLE_META } }];
      }),
    );
  }

  ofUsage(): object {
    const value = { data: exampleUsage(this.#snapshot), meta: EXAMPLE_META };
    return { "an-account": { summary: "a made-up account", value } };
  }
}
