import { describe, expect, test } from "vitest";
import { CATALOGUE } from "../../../quant/strategies/catalogue.ts";
import { STATUS_OF } from "../../../server/http/errors.ts";
import { READ_ENDPOINTS } from "../../../server/routes/endpoints.ts";
import { parseSnapshotId } from "../../../snapshots/snapshot-id.ts";
import type { Json } from "../../support/json.ts";
import { clientFaults, schemaFaults, servedDocument } from "../../support/server-schema.ts";

const document = servedDocument();
const operations = READ_ENDPOINTS.map(({ path }) => [path, document.paths[path]!.get] as const);

/** Every operation that needs a key, with the number of its examples. */
const EXAMPLES = [
  ["/signals", "get", 3],
  ["/rating-worth", "get", 1],
  ["/history", "get", 3],
  ["/buy-hold", "get", 1],
  ["/dca", "get", 2],
  ["/check", "post", 1],
  ["/overfitting", "post", 2],
  ["/base-rates", "get", 2],
  ["/overfitting-index", "get", 1],
  ["/dataset", "get", 1],
  ["/strategies", "get", 1],
  ["/backtests", "post", 1],
  ["/backtests/{id}", "get", 3],
  ["/studies", "post", 1],
  ["/studies/{id}", "get", 3],
  ["/usage", "get", 1],
  ["/snapshots", "get", 1],
] as const;

/** Every object in a document, with the JSON pointer to it. */
function* objectsIn(value: unknown, at = "#"): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  yield [at, value as Record<string, unknown>];
  for (const [key, member] of Object.entries(value)) yield* objectsIn(member, `${at}/${key}`);
}

describe("the OpenAPI document", () => {
  test("is 3.1, names both bases, its groups and every endpoint", () => {
    expect(document.openapi).toBe("3.1.0");
    const groups = document.tags.map(({ name }) => name);
    expect(groups).toEqual(["Market", "Backtests", "Overfitting", "Account", "Service"]);
    expect(document.servers.map(({ url }) => url)).toEqual([
      "http://api.test/v1",
      "http://api.test/api/v1",
    ]);
    const paths = [...EXAMPLES.map(([path]) => path), "/healthz", "/readyz"];
    expect(Object.keys(document.paths)).toEqual(paths);
  });

  test("has no reference that leads nowhere", () => {
    for (const [at, object] of objectsIn(document)) {
      const reference = object["$ref"];
      if (typeof reference !== "string") continue;
      let target: unknown = document;
      for (const step of reference.slice(2).split("/")) {
        target = (target as Record<string, unknown> | undefined)?.[step];
      }
      expect(target, `${at} -> ${reference}`).toBeDefined();
    }
  });

  test("names a snapshot in its examples as snapshots are named", () => {
    const named = JSON.stringify(document).match(/\d{4}-\d{2}-\d{2}T[0-9TZ]+-[0-9a-f]+/g) ?? [];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((id) => parseSnapshotId(id) === undefined)).toEqual([]);
  });

  test("closes bodies, and leaves answers open to members of later versions", () => {
    const closed = { true: 0, false: 0 };
    for (const [at, object] of objectsIn(document)) {
      if (object["type"] !== "object" || object["properties"] === undefined) continue;
      const isBody = /^#\/components\/schemas\/Post\w+Body|\/requestBody\//.test(at);
      closed[`${isBody}`]++;
      expect(object["additionalProperties"] === false, `of ${at}`).toBe(isBody);
    }
    expect(closed.true).toBeGreaterThan(3);
    expect(closed.false).toBeGreaterThan(150);
  });

  test.each(EXAMPLES)("%s may answer with a member more, at any depth", (path, method) => {
    const { content } = document.paths[path]![method].responses["200"]!;
    const examples = structuredClone(content!["application/json"].examples as Json);
    for (const { value } of Object.values<Json>(examples)) {
      for (const level of [value, value.data, value.data.attribution, value.meta, value.meta.quota])
        level.added_later = { by: "a later version" };
      expect(clientFaults(path, value, method)).toEqual([]);
      expect(schemaFaults(path, 200, value, method)).not.toEqual([]);
    }
  });

  test.each(["Backtest", "Study"])("%sData is told apart by its status", (name) => {
    const schemas = document.components["schemas"] as Json;
    const { oneOf, discriminator } = schemas[`${name}Data`];
    expect(Object.keys(discriminator.mapping)).toEqual(["queued", "running", "done", "error"]);
    const states = oneOf.map(({ $ref }: Json) => schemas[$ref.split("/").at(-1)].properties);
    expect(states.map(({ status }: Json) => status.enum)).toEqual([
      ["queued", "running"],
      ["done"],
      ["error"],
    ]);
    expect(states.map(({ result, error }: Json) => [result.type, error.type])).toEqual([
      ["null", "null"],
      [undefined, "null"],
      ["null", "object"],
    ]);
  });

  test("lists the codes of errors and the templates, and says of an answer's lists that they may grow", () => {
    const { Error: body, PostBacktestBody: asked } = document.components["schemas"] as Json;
    const { code } = body.properties.error.properties;
    expect(code.enum).toEqual(Object.keys(STATUS_OF));
    expect(code.description).toContain("more may come");
    expect(asked.properties.strategy.enum).toEqual(CATALOGUE.map(({ name }) => name));
    expect(asked.required).toEqual(["strategy", "start_date"]);
  });

  test("gives no text both a format and a pattern, which clients hold against what they have parsed", () => {
    const both = [...objectsIn(document)].filter(
      ([, object]) => object["type"] === "string" && "format" in object && "pattern" in object,
    );
    expect(both.map(([at]) => at)).toEqual([]);
  });

  test("says of an integer that may have more than 32 bits, as a job's id has, that it may", () => {
    const ids = [...objectsIn(document)].filter(([at]) => at.endsWith("/properties/job_id"));
    const { parameters } = document.paths["/backtests/{id}"]!.get;
    const schemas = [...ids.map(([, schema]) => schema), parameters![0]!["schema"]];
    expect(schemas).toHaveLength(9);
    for (const schema of schemas)
      expect(schema).toMatchObject({ type: "integer", format: "int64" });
  });

  test("names no schema as one of its members, which is a type of its own in some clients", () => {
    const clashing = Object.entries(document.components["schemas"]!).filter(([name, schema]) =>
      Object.hasOwn((schema as { properties?: object }).properties ?? {}, name.toLowerCase()),
    );
    expect(clashing.map(([name]) => name)).toEqual(["Error"]); // the contract's name for its member
  });

  test("names constants of text only: one of a number is a type that some clients cannot have", () => {
    const constants = [...objectsIn(document.components["schemas"])]
      .filter(([, object]) => "const" in object)
      .map(([, object]) => typeof object["const"]);
    expect(new Set(constants)).toEqual(new Set(["string"]));
  });

  test.each(operations)("%s documents its parameters as they are checked", (path, operation) => {
    const endpoint = READ_ENDPOINTS.find((each) => each.path === path)!;
    const named = (operation.parameters ?? []).filter(({ in: where }) => where === "query");
    const format = endpoint.rows === undefined ? [] : ["format"];
    expect(named.map(({ name }) => name)).toEqual([
      ...Object.keys(endpoint.query.shape),
      ...format,
      "fields",
    ]);
    for (const parameter of named) {
      expect(parameter["description"], `of ${String(parameter["name"])}`).toBeTruthy();
    }
  });

  test.each([
    ...operations.map(([path]) => [path, "200 304 400 401 405 429 500 503"] as const),
    ["/usage", "200 400 401 405 429 500 503"] as const,
    ["/snapshots", "200 400 401 404 405 410 429 500 503"] as const,
    ["/backtests/{id}", "200 400 401 404 405 429 500 503"] as const,
    ["/studies/{id}", "200 400 401 404 405 429 500 503"] as const,
  ])("%s documents every status it can answer", (path, statuses) => {
    expect(Object.keys(document.paths[path]!.get.responses).join(" ")).toBe(statuses);
  });

  test("names every code of its statuses", () => {
    const said = JSON.stringify(document.components["responses"]);
    const elsewhere = ["not_found", "payload_too_large", "unsupported_media_type"];
    const codes = Object.keys(STATUS_OF).filter((code) => !elsewhere.includes(code));
    expect(codes.filter((code) => !said.includes(`\`${code}\``))).toEqual([]);
  });

  test.each(EXAMPLES)(
    "%s has examples that fit its schema, of made-up prices",
    (path, method, count) => {
      const { content } = document.paths[path]![method].responses["200"]!;
      const examples = Object.entries(content!["application/json"].examples as Json);
      expect(examples).toHaveLength(count);
      for (const [name, { value }] of examples as [string, Json][]) {
        expect(schemaFaults(path, 200, value, method), `of ${name}`).toEqual([]);
        expect(value.data.attribution.synthetic, `of ${name}`).toBe(true);
      }
    },
  );
});
