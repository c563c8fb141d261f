/** The operations of the API as the reference shows them, read from the OpenAPI document. */
import { membersOf, referred, typeOf, type Member, type Schema, type Schemas } from "./schema.ts";

export interface Operation {
  /** Method and path: `GET /signals`. */
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly request: RequestForm;
  readonly body: readonly Member[];
  readonly answer: string;
  readonly answered: readonly Member[];
  readonly answers: readonly Example[];
  readonly errors: readonly { readonly status: string; readonly description: string }[];
}

/** What the form and the samples need to know of a request. */
export interface RequestForm {
  readonly method: string;
  /** The address, with `{name}` where a parameter is part of the path. */
  readonly url: string;
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  /** Undefined if it takes none. */
  readonly body: BodyForm | undefined;
}

export interface Parameter extends Member {
  readonly in: "query" | "path" | "header";
  /** The values that may be sent, if there are few. */
  readonly choices: readonly string[];
  readonly example: string;
}

interface BodyForm {
  readonly type: string;
  /** Whether the body is a file. */
  readonly isFile: boolean;
  readonly examples: readonly Example[];
}

export interface Example {
  readonly title: string;
  readonly text: string;
}

/** The parts of an OpenAPI document that are read here. */
export interface ApiDocument {
  readonly servers: readonly [{ readonly url: string }, ...unknown[]];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters: Readonly<Record<string, DocumentedParameter>>;
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
  };
}

interface PathItem {
  readonly servers?: ApiDocument["servers"];
  readonly get?: DocumentedOperation;
  readonly post?: DocumentedOperation;
}

interface DocumentedOperation {
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly (DocumentedParameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedResponse | Reference>>;
}

interface DocumentedParameter {
  readonly name: string;
  readonly in: Parameter["in"];
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface DocumentedResponse {
  readonly description: string;
  readonly content?: Content;
}

/** By media type. */
type Content = Readonly<Record<string, { readonly schema?: Schema; readonly examples?: Examples }>>;
type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

interface Reference {
  readonly $ref: string;
}

/** How many entries of a list an example shows. */
const LIST_MAX = 2;

const JSON_TYPE = "application/json";

/** Every operation of the document, in its order. */
export function operationsOf(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (["get", "post"] as const).flatMap((method) => {
      const documented = item[method];
      return documented === undefined ? [] : [operationOf(document, path, method, documented)];
    }),
  );
}

function operationOf(
  document: ApiDocument,
  path: string,
  method: "get" | "post",
  documented: DocumentedOperation,
): Operation {
  const { servers, components } = document;
  const { summary, description = "", security, parameters = [] } = documented;
  const [{ url }] = document.paths[path]?.servers ?? servers;
  const title = `${method.toUpperCase()} ${path}`;
  const { 200: ok, 304: _, ...failed } = documented.responses;
  const answer = resolved<DocumentedResponse>(ok!, components.responses); // every operation has one
  const [type = "", body] = Object.entries(documented.requestBody?.content ?? {})[0] ?? [];
  const answered = answer.content?.[JSON_TYPE];
  return {
    title,
    summary,
    description,
    request: {
      method: method.toUpperCase(),
      url: url + path,
      needsKey: security?.length !== 0,
      parameters: parameters.map((each) =>
        parameterOf(resolved(each, components.parameters), components.schemas),
      ),
      body:
        body === undefined
          ? undefined
          : { type, isFile: type !== JSON_TYPE, examples: examplesOf(body.examples) },
    },
    body: membersOf(body?.schema ?? {}, components.schemas),
    answer: answer.description,
    answered: membersOf(answered?.schema ?? {}, components.schemas),
    answers: examplesOf(answered?.examples),
    errors: Object.entries(failed).map(([status, response]) => ({
      status,
      description: resolved<DocumentedResponse>(response, components.responses).description,
    })),
  };
}

function resolved<Kind extends object>(
  value: Kind | Reference,
  components: Readonly<Record<string, Kind>>,
): Kind {
  return "$ref" in value ? referred(value.$ref, components) : value;
}

function parameterOf(documented: DocumentedParameter, schemas: Schemas): Parameter {
  const { name, in: where, required = false, description = "", schema } = documented;
  const [example = ""] = schema.examples ?? [];
  return {
    ...typeOf(schema, schemas),
    name,
    in: where,
    isRequired: required,
    description,
    choices: (schema.enum ?? []).map(String),
    example: String(example),
  };
}

function examplesOf(examples: Examples = {}): readonly Example[] {
  return Object.values(examples).map(({ summary, value }) => ({
    title: summary,
    text: JSON.stringify(shortened(value), null, 2).replace(/"… (\d+) more"/g, "… $1 more"),
  }));
}

/** The value with its lists cut short, so that an example is easy to read. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const rest = value.length - LIST_MAX;
    const shown = value.slice(0, LIST_MAX).map(shortened);
    return rest > 0 ? [...shown, `… ${rest} more`] : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, shortened(member)] as const);
  return Object.fromEntries(entries);
}
