import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { openApiDocument } from "../../server/openapi/openapi.ts";

/** This module is CommonJS, but its types describe a default export that wraps it. */
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

interface Content {
  readonly "application/json": { readonly schema: unknown; readonly examples?: unknown };
}

/** The part of an OpenAPI document that the tests read. */
export interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<"get" | "post", DocumentedOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface DocumentedOperation {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly Record<string, unknown>[];
  readonly responses: Readonly<Record<string, Record<string, unknown> & { content?: Content }>>;
}

/** The served document as a client gets it: through JSON. */
export function servedDocument(): Document {
  return JSON.parse(JSON.stringify(openApiDocument("http://api.test"))) as Document;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
const served = servedDocument() as unknown as Record<string, unknown>;
ajv.addSchema(served, "open");
// The document leaves answers open to members of later versions. Those of this version are all in it.
const closed = JSON.parse(JSON.stringify(served), (_, value: unknown) =>
  typeof value === "object" && value !== null && "properties" in value && "type" in value
    ? { additionalProperties: false, ...value }
    : value,
) as Record<string, unknown>;
ajv.addSchema(closed, "document");
const compiled = new Map<string, ValidateFunction>();

/** The violations of the schema of the document by a response body; empty if there are none. */
export function schemaFaults(
  path: string,
  status: number,
  body: unknown,
  method: "get" | "post" = "get",
): string[] {
  const of = status === 200 ? schemaOf200(path, method) : "#/components/schemas/Error";
  return faultsBy(`document${of}`, body);
}

/** The violations that a client sees, which allows for members that it does not know. */
export function clientFaults(path: string, body: unknown, method: "get" | "post"): string[] {
  return faultsBy(`open${schemaOf200(path, method)}`, body);
}

function schemaOf200(path: string, method: "get" | "post"): string {
  const content = "content/application~1json/schema";
  return `#/paths/${path.replaceAll("/", "~1")}/${method}/responses/200/${content}`;
}

/** The violations of a component of the document by a value. */
export function memberFaults(component: string, value: unknown): string[] {
  return faultsBy(`document#/components/schemas/${component}`, value);
}

function faultsBy(schema: string, body: unknown): string[] {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: schema });
    compiled.set(schema, validate);
  }
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
