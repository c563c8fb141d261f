import { z } from "zod";
import type { Endpoint } from "../routes/endpoint.ts";
import { BASE_PATHS } from "../routes/endpoint.ts";
import { ErrorBody } from "../routes/envelope.ts";
import { ExampleAnswers, operationOf, SHARED_PARAMETERS } from "./openapi-operations.ts";
import type { JsonSchema } from "./json-schema.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import { HEADERS, headerRefs } from "./openapi-headers.ts";
import { errorResponses } from "./openapi-errors.ts";
import { TAGS, tagsOf } from "./openapi-tags.ts";

/** The version of this description; the path carries the version of the interface. */
const API_VERSION = "1.0.0";

const DESCRIPTION = `Crypto backtesting data: daily indicator signals, buy-and-hold and dollar-cost-averaging outcomes, a check of how much of a backtest is luck, a catalogue of strategy templates, and backtests of them.

Every answer is \`{"data", "meta"}\`; \`data\` begins with its attribution. Numbers are finite or null, written with at most 10 significant digits. \`*_pct\` is a percentage, \`*_usd\` is in dollars, dates are UTC days.
A 200 costs one call of the month's quota, and a backtest costs its plan's units. A 304, a poll, \`GET /usage\` and every error are free. Every request of a known account counts against its minute, unless it is refused because the minute is used up.
Unknown or repeated query parameters and body members are refused. \`HEAD\` answers like \`GET\`, without the body, and is charged the same.

The data is licensed CC BY 4.0. It is not financial advice.`;

/** The OpenAPI 3.1 document, made from the schemas that check requests and describe answers. */
export function openApiDocument(endpoints: readonly Endpoint[], publicUrl: string): object {
  const schemas: Record<string, JsonSchema> = {};
  // Only inside another schema does its id make it a component.
  jsonSchemaOf(z.object({ of: ErrorBody }), schemas);
  const shown = new ExampleAnswers();
  const paths = Object.fromEntries(
    endpoints.map((endpoint) => {
      const { path, method, operation } = operationOf(endpoint, schemas, shown);
      return [path, { [method]: operation }];
    }),
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
    tags: TAGS,
    paths: { ...paths, ...openPaths(publicUrl, schemas) },
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "an API key, `hs_live_...` or `hs_test_...`",
        },
      },
      parameters: SHARED_PARAMETERS,
      headers: HEADERS,
      responses: errorResponses(publicUrl),
      schemas,
    },
  };
}

/** What is served at the root, without a key. */
function openPaths(publicUrl: string, schemas: Record<string, JsonSchema>): object {
  const open = (path: string, description: string, schema: z.ZodType, unready: boolean) => ({
    [path]: {
      servers: [{ url: publicUrl }],
      get: {
        operationId: path === "/healthz" ? "getHealth" : "getReadiness",
        tags: tagsOf(path),
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
