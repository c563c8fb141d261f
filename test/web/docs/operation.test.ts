import { describe, expect, test } from "vitest";
import { operationsOf, type ApiDocument } from "../../../web/docs/operation.ts";

const DOCUMENT: ApiDocument = {
  servers: [{ url: "https://api.test/v1" }],
  paths: {
    "/things/{id}": {
      get: {
        summary: "A thing",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
          { $ref: "#/components/parameters/Unit" },
        ],
        responses: {
          200: {
            description: "the thing",
            content: {
              "application/json": {
                schema: { $ref: "#/components/schemas/Thing" },
                examples: { one: { summary: "one", value: { list: [1, 2, 3, 4], name: "x" } } },
              },
            },
          },
          404: { $ref: "#/components/responses/Missing" },
        },
      },
    },
    "/check": {
      servers: [{ url: "https://api.test" }],
      post: {
        summary: "Checks a file",
        security: [],
        requestBody: { content: { "application/octet-stream": { schema: { format: "binary" } } } },
        responses: { 200: { description: "the report" } },
      },
    },
  },
  components: {
    parameters: {
      Unit: {
        name: "unit",
        in: "query",
        description: "what to count in",
        schema: { type: "string", enum: ["day", "week"], default: "day" },
      },
    },
    responses: { Missing: { description: "there is none" } },
    schemas: {
      Thing: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string" },
          parent: { anyOf: [{ $ref: "#/components/schemas/Thing" }, { type: "null" }] },
          parts: { type: "array", items: { $ref: "#/components/schemas/Part" } },
          by_coin: { type: "object", additionalProperties: { $ref: "#/components/schemas/Part" } },
        },
      },
      Part: {
        type: "object",
        description: "a part",
        properties: { size: { type: "number", maximum: 5000 } },
      },
    },
  },
};

const [thing, check] = operationsOf(DOCUMENT);

describe("an operation of the reference", () => {
  test("has its parameters in words, with default and allowed values", () => {
    expect(thing!.title).toBe("GET /things/{id}");
    expect(thing!.request).toMatchObject({
      url: "https://api.test/v1/things/{id}",
      needsKey: true,
    });
    expect(thing!.request.parameters).toMatchObject([
      { name: "id", in: "path", isRequired: true, type: "integer", allowed: "from 1" },
      { name: "unit", default: '"day"', allowed: "`day`, `week`", choices: ["day", "week"] },
    ]);
  });

  test("lists the members of objects, lists and maps, and ends where a schema contains itself", () => {
    const [name, parent, parts, byCoin] = thing!.answered;
    expect(name).toMatchObject({ name: "name", type: "string", isRequired: true, members: [] });
    expect(parent!.type).toBe("object or null");
    expect(parent!.members.map((member) => member.name)).toContain("parts");
    expect(parts).toMatchObject({ type: "list of objects", isRequired: false });
    expect(parts!.members).toMatchObject([{ name: "size", allowed: "to 5,000" }]);
    expect(byCoin!.members).toMatchObject([{ name: "each name", description: "a part" }]);
  });

  test("has an example whose lists are cut short, and its errors", () => {
    expect(thing!.answers[0]!.text).toContain("2,\n    … 2 more\n");
    expect(thing!.errors).toEqual([{ status: "404", description: "there is none" }]);
  });

  test("takes a file where the body is no JSON, and a server and openness of its own", () => {
    expect(check!.request).toMatchObject({ url: "https://api.test/check", needsKey: false });
    expect(check!.request.body).toMatchObject({ type: "application/octet-stream", isFile: true });
  });
});
