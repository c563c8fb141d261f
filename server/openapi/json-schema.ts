import { z } from "zod";

export type JsonSchema = { [key: string]: unknown };

const COMPONENTS = "#/components/schemas/";

/**
 * A zod schema in the form that OpenAPI 3.1 requires: JSON Schema 2020-12, with every schema that has an id moved to the
 * document's components. With `io` "output" it describes the parsed value, for example a number where a query has text.
 * With "input" it describes what a caller sends, and members with defaults are optional.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  components: Record<string, JsonSchema>,
  io: "input" | "output" = "output",
): JsonSchema {
  const made = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
      if (jsonSchema.type === "integer") withFormatForBounds(jsonSchema);
      // The format says the same. Generated clients would apply the pattern to a date that they have already parsed.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', `"${COMPONENTS}`);
  const { $schema: _, $defs = {}, ...rest } = JSON.parse(text) as JsonSchema;
  for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
    components[name] ??= definition;
  }
  return rest;
}

/** Adds a schema to the components and returns a reference. Generated clients name their types after components. */
export function componentOf(
  name: string,
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
): JsonSchema {
  components[name] = schema;
  return { $ref: COMPONENTS + name };
}

/**
 * Replaces the bounds that zod gives every integer, those of exact float64 integers, by the format `int64`. A generated
 * client takes 32 bits for an integer without a format, which is too few for a job's id.
 */
function withFormatForBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum !== Number.MAX_SAFE_INTEGER) return;
  delete schema.maximum;
  schema.format = "int64";
}
