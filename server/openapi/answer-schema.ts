import type { AnyRecord, Choice, Member, Type } from "../../api/record.ts";
import { componentOf, type JsonSchema } from "./json-schema.ts";

type Schemas = Record<string, JsonSchema>;

/**
 * The schema of an answer's record, to which later versions may add members. Records and choices with an id become
 * components and are referenced.
 */
export function schemaOfRecord({ members }: AnyRecord, schemas: Schemas): JsonSchema {
  const entries = Object.entries(members);
  const required = entries.filter(([, { isOptional }]) => !isOptional).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, schemaOfMember(member, schemas)]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Said of each list of values in an answer: clients that refuse others would break. */
export const MORE = "more may come";

/** The schemas of a job in each of its states, which `status` tells apart, so that a client that compares it has `result`. */
export function schemaOfJob(name: string, job: AnyRecord, schemas: Schemas): JsonSchema {
  const whole = schemaOfRecord(job, schemas);
  const none = { type: "null" };
  const there = (member: string) =>
    schemaOfMember({ ...job.members[member]!, isNullable: false }, schemas); // each job has both
  const states = [
    ["Pending", ["queued", "running"], { result: none, error: none }],
    ["Done", ["done"], { result: there("result"), error: none }],
    ["Failed", ["error"], { result: none, error: there("error") }],
  ] as const;
  const mapping: Record<string, unknown> = {};
  const oneOf = states.map(([state, statuses, members]) => {
    const status = { type: "string", enum: statuses };
    const properties = { ...(whole["properties"] as object), status, ...members };
    const found = componentOf(state + name, { ...whole, properties }, schemas);
    for (const each of statuses) mapping[each] = found["$ref"];
    return found;
  });
  return { oneOf, discriminator: { propertyName: "status", mapping } };
}

function schemaOfMember({ type, description, isNullable }: Member, schemas: Schemas): JsonSchema {
  const schema = schemaOf(type, schemas);
  const grows = type.kind === "choice" && type.choice.values.length > 1 ? MORE : "";
  const text = [description, grows].filter((part) => part !== "").join("; ");
  return {
    ...(isNullable ? orNull(schema) : schema),
    ...(text === "" ? {} : { description: text }),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (type !== undefined && Object.keys(rest).length === 0) return { type: [type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

const VALUE = {
  anyOf: [
    { type: "string" },
    { type: "number" },
    { type: "boolean" },
    { type: "array", items: { type: "string" } },
  ],
};

const FORMATS = { date: "date", instant: "date-time", address: "uri" } as const;

function schemaOf(type: Type, schemas: Schemas): JsonSchema {
  switch (type.kind) {
    case "integer":
      return integerSchema(type);
    case "number":
      return { type: "number" };
    case "numberOrNull":
      return { type: ["number", "null"] };
    case "textOrNull":
      return { type: ["string", "null"] };
    case "value":
      return VALUE;
    case "text":
      return { type: "string" };
    case "flag":
      return { type: "boolean" };
    case "date":
    case "instant":
    case "address":
      return { type: "string", format: FORMATS[type.kind] };
    case "choice":
      return choiceSchema(type.choice, schemas);
    case "record":
      return recordSchema(type.record, schemas);
    case "list":
      return { type: "array", items: schemaOf(type.item, schemas) };
    case "map":
      return { type: "object", additionalProperties: schemaOf(type.item, schemas) };
  }
}

/** An integer without bounds has the format `int64`, without which generated clients take 32 bits: too few for a job's id. */
function integerSchema({ min, max }: { min?: number; max?: number }): JsonSchema {
  if (min === undefined || max === undefined) return { type: "integer", format: "int64" };
  return { type: "integer", minimum: min, maximum: max };
}

function choiceSchema({ values, id, description }: Choice, schemas: Schemas): JsonSchema {
  const schema =
    values.length === 1
      ? { type: "string", const: values[0] }
      : { type: "string", enum: [...values] };
  return id === undefined ? schema : componentOf(id, { ...schema, description }, schemas);
}

function recordSchema(record: AnyRecord, schemas: Schemas): JsonSchema {
  const { id, description } = record;
  if (id === undefined) return schemaOfRecord(record, schemas);
  if (schemas[id] === undefined) {
    schemas[id] = {}; // keeps its place before those of its members
    const words = description === "" ? {} : { description };
    schemas[id] = { ...schemaOfRecord(record, schemas), ...words };
  }
  return componentOf(id, schemas[id], schemas);
}
