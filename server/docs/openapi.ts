import { z } from "zod";
import type { Endpoint } from "../routes/endpoint.ts";
import { BASE_PATHS } from "../routes/endpoint.ts";
import { ErrorBody, Meta } from "../routes/envelope.ts";
import { exampleSnapshot } from "./example-snapshot.ts";
import type { JsonSchema } from "./json-schema.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import { ACCOUNT_HEADERS, ANSWER_HEADERS, HEADERS, headerRefs } from "./openapi-headers.ts";
import { ERROR_RESPONSES, errorResponses } from "./openapi-errors.ts";

/** The interface description's own version; the path carries the version of the interface. */
export const API_VERSION = "1.0.0";

const DESCRIPTION = `Crypto backtesting data: daily indicator signals, buy-and-hold and dollar-cost-averaging outcomes, and a catalogue of strategy templates.

Every answer is \`{"data", "meta"}\`; \`data\` begins with its attribution. Numbers are finite or null, written with at most 10 significant digits; \`*_pct\` is a percentage, \`*_usd\` dollars; dates are UTC days.
A 200 is one call of the month's quota; a 304 and every error cost nothing. Every request counts against the minute.
Unknown and repeated query parameters are refused. \`HEAD\` answers as \`GET\`, without the body.

The data is licensed CC BY 4.0. It is not financial advice.`;

const EXAMPLE_META = { plan: "developer", quota: { used: 42, limit: 10_000, remaining: 9_958 } };

/** The OpenAPI 3.1 document, made from the schemas that check requests and describe answers. */
export function openApiDocument(endpoints: readonly Endpoint[], publicUrl: string): object {
  const schemas: Record<string, JsonSchema> = {};
  jsonSchemaOf(z.object({ of: ErrorBody }), schemas); // within another, its id makes it a component
  const shown = new ExampleAnswers();
  const paths = Object.fromEntries(
    endpoints.map((endpoint) => [endpoint.path, { get: operation(endpoint, schemas, shown) }]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Hindsight",
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: "Data: CC BY 4.0", url: "https://creativecommons.org/licenses/by/4.0/" },
    },
    externalDocs: { url: `${publicUrl}/docs` },
    servers: BASE_PATHS.map((base) => ({ url: publicUrl + base })),
    security: [{ key: [] }],
    paths: { ...paths, ...openPaths(publicUrl, schemas) },
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "an API key, `hs_live_...` or `hs_test_...`",
        },
      },
      parameters: { RequestId: REQUEST_ID, IfNoneMatch: IF_NONE_MATCH },
      headers: HEADERS,
      responses: errorResponses(publicUrl),
      schemas,
    },
  };
}

const REQUEST_ID = {
  name: "X-Request-Id",
  in: "header",
  description: "echoed in the response; any other text is replaced",
  schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" },
};
const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  description: "the ETag of an answer you hold: 304, at no charge, when it still stands",
  schema: { type: "string" },
};

function operation(
  endpoint: Endpoint,
  schemas: Record<string, JsonSchema>,
  shown: ExampleAnswers,
): object {
  const takesParameters = Object.keys(endpoint.query.shape).length > 0;
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: [
      ...queryParameters(endpoint.query),
      { $ref: "#/components/parameters/RequestId" },
      { $ref: "#/components/parameters/IfNoneMatch" },
    ],
    responses: {
      200: {
        description: takesParameters ? "the answer; one call of the quota" : "the catalogue",
        headers: headerRefs(ANSWER_HEADERS),
        content: {
          "application/json": {
            schema: jsonSchemaOf(z.strictObject({ data: endpoint.data, meta: Meta }), schemas),
            examples: shown.of(endpoint),
          },
        },
      },
      304: {
        description: "what you hold still stands; not charged",
        headers: headerRefs([...ACCOUNT_HEADERS, "ETag", "Cache-Control", "Vary"]),
      },
      ...Object.fromEntries(
        ERROR_RESPONSES.map(({ name, status }) => [
          status,
          { $ref: `#/components/responses/${name}` },
        ]),
      ),
    },
  };
}

function queryParameters(query: z.ZodObject): object[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = jsonSchemaOf(schema as z.ZodType, {});
    const required = !(schema instanceof z.ZodOptional || schema instanceof z.ZodDefault);
    return { name, in: "query", required, description, schema: rest };
  });
}

/** Answers of the made-up market to an endpoint's examples. */
class ExampleAnswers {
  readonly #snapshot = exampleSnapshot();

  of(endpoint: Endpoint): object {
    return Object.fromEntries(
      Object.entries(endpoint.examples).map(([title, query]) => {
        const given = endpoint.query.parse(query) as never;
        const resolved = endpoint.resolve(this.#snapshot, given) as never;
        const data = endpoint.answer(this.#snapshot, resolved);
        const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
        const asked = new URLSearchParams(query).toString();
        const summary = `${title}: ${endpoint.path}${asked === "" ? "" : `?${asked}`} (made-up prices)`;
        return [name, { summary, value: { data, meta: EXAMPLE_META } }];
      }),
    );
  }
}

/** What is served at the root, without a key. */
function openPaths(publicUrl: string, schemas: Record<string, JsonSchema>): object {
  const open = (path: string, description: string, schema: z.ZodType, unready: boolean) => ({
    [path]: {
      servers: [{ url: publicUrl }],
      get: {
        operationId: path === "/healthz" ? "getHealth" : "getReadiness",
        summary: description,
        security: [],
        responses: {
          200: {
            description,
            headers: headerRefs(["X-Request-Id", "Cache-Control"]),
            content: { "application/json": { schema: jsonSchemaOf(schema, schemas) } },
          },
          ...(unready ? { 503: { $ref: "#/components/responses/Unavailable" } } : {}),
        },
      },
    },
  });
  return {
    ...open("/healthz", "the process is up", z.strictObject({ status: z.literal("ok") }), false),
    ...open(
      "/readyz",
      "a snapshot is loaded and requests are answered",
      z.strictObject({ status: z.literal("ready"), snapshot: z.string() }),
      true,
    ),
  };
}
