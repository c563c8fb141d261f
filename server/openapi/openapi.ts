import { z } from "zod";
import { BASE_PATHS, type Tag } from "../routes/endpoint.ts";
import { ENDPOINTS } from "../routes/endpoints.ts";
import { pathItemOf, SHARED_PARAMETERS } from "./openapi-operations.ts";
import { componentOf, jsonSchemaOf, type JsonSchema } from "./json-schema.ts";
import { HEADERS, headerRefs } from "./openapi-headers.ts";
import { KEYLESS_OPERATIONS } from "./operation-names.ts";
import { packageVersion } from "../package-version.ts";
import { ErrorBody, errorResponses } from "./openapi-errors.ts";

const DESCRIPTION = `Crypto backtesting data: daily indicator signals, buy-and-hold and dollar-cost-averaging outcomes, a check of how much of a backtest is luck, a catalogue of strategy templates, and backtests of them.

Every answer is \`{"data", "meta"}\`; \`data\` begins with its attribution. Numbers are finite or null, written with at most 10 significant digits. \`*_pct\` is a percentage, \`*_usd\` is in dollars, dates are UTC days.
A 200 costs one call of the quota, and a backtest costs its plan's units. A 304, a poll, \`GET /usage\` and every error are free. Every request of a known account counts for its rate limit, except those the rate limit refuses.
Unknown or repeated query parameters and body members are refused. \`HEAD\` answers like \`GET\`, without the body, and costs nothing. A range of days has two names, which mean the same: \`from\` and \`to\`, or \`start_date\` and \`end_date\`.

The data is licensed CC BY 4.0. It is not financial advice.`;

const TAGS: Readonly<Record<Tag | "Service", string>> = {
  Market: "What indicators say, and what holding a coin brought.",
  Backtests: "The trading rules, and runs of them.",
  Overfitting: "How much of a good backtest is luck.",
  Account: "What an account has used.",
  Service: "Whether the service answers.",
};

/** The OpenAPI 3.1 document, made from the schemas that check requests and describe answers. */
export function openApiDocument(publicUrl: string): object {
  const schemas: Record<string, JsonSchema> = {};
  // A schema with an id becomes a component only where it is within another schema.
  jsonSchemaOf(z.object({ body: ErrorBody }), schemas);
  const paths = Object.fromEntries(ENDPOINTS.map((endpoint) => pathItemOf(endpoint, schemas)));
  return {
    openapi: "3.1.0",
    info: {
      title: "Hindsight",
      version: packageVersion(), // /v1 is in the path
      description: DESCRIPTION,
      contact: { name: "Documentation", url: `${publicUrl}/docs` },
      license: { name: "Data: CC BY 4.0", url: "https://creativecommons.org/licenses/by/4.0/" },
    },
    externalDocs: { url: `${publicUrl}/docs` },
    servers: BASE_PATHS.map((base) => ({ url: publicUrl + base })),
    security: [{ key: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
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
      responses: errorResponses(),
      schemas,
    },
  };
}

function openPaths(publicUrl: string, schemas: Record<string, JsonSchema>): object {
  const paths = KEYLESS_OPERATIONS.map(({ path, operationId, name, description, body, errors }) => {
    const schema = componentOf(name, jsonSchemaOf(body, schemas), schemas);
    const content = { "application/json": { schema } };
    const headers = headerRefs(["X-Request-Id", "Cache-Control"]);
    const get = {
      operationId,
      tags: ["Service"],
      summary: description,
      security: [],
      responses: { 200: { description, headers, content }, ...errors },
    };
    return [path, { servers: [{ url: publicUrl }], get }];
  });
  return Object.fromEntries(paths) as object;
}
