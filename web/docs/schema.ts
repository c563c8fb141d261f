/** The parts of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A member of an object, or a parameter, in words. */
export interface Member {
  readonly name: string;
  /** Such as `number or null`, `list of objects`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** As JSON; "" for none. */
  readonly default: string;
  /** What is allowed, where the type does not say it, with code in backticks; "" for anything. */
  readonly allowed: string;
  readonly members: readonly Member[];
}

/** The reference shows no deeper members, which also ends schemas that contain themselves. */
const DEPTH_MAX = 5;
/** In place of a name that is data: a coin, a template. */
const ANY_NAME = "each name";

/** The members of an object, of the objects of a list, or of what may be null. */
export function membersOf(schema: Schema, schemas: Schemas, depth = 0): readonly Member[] {
  if (depth >= DEPTH_MAX) return [];
  const target = followed(schema, schemas);
  const { properties = {}, required = [], additionalProperties, items } = target;
  const parts = [...(items ? [items] : []), ...(target.anyOf ?? []), ...(target.oneOf ?? [])];
  const named = Object.entries(properties).map(([name, member]) => ({
    ...typeOf(member, schemas, depth),
    name,
    isRequired: required.includes(name),
  }));
  const rest =
    typeof additionalProperties === "object"
      ? [{ ...typeOf(additionalProperties, schemas, depth), name: ANY_NAME, isRequired: true }]
      : [];
  const inside = parts.flatMap((each) => membersOf(each, schemas, depth));
  return [...named, ...rest, ...inside];
}

/** Everything about a value except its name. */
export function typeOf(
  schema: Schema,
  schemas: Schemas,
  depth = 0,
): Omit<Member, "name" | "isRequired"> {
  const target = followed(schema, schemas);
  return {
    type: typeWords(target, schemas),
    description: schema.description ?? target.description ?? "",
    default: target.default === undefined ? "" : JSON.stringify(target.default),
    allowed: allowedWords(target),
    members: membersOf(target, schemas, depth + 1),
  };
}

function followed(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : referred(schema.$ref, schemas);
}

/** What a reference in the document leads to. The document has all that it refers to. */
export function referred<Kind>(
  reference: string,
  components: Readonly<Record<string, Kind>>,
): Kind {
  return components[reference.slice(reference.lastIndexOf("/") + 1)]!;
}

function typeWords(schema: Schema, schemas: Schemas): string {
  const { type, format, items, anyOf, oneOf, const: only, enum: choices } = schema;
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) {
    const words = variants.map((each) => typeWords(followed(each, schemas), schemas));
    return [...new Set(words)].join(" or ");
  }
  if (items !== undefined) return `list of ${typeWords(followed(items, schemas), schemas)}s`;
  if (format === "date") return "date";
  if (format === "date-time") return "instant";
  if (format === "binary") return "file";
  if (type === undefined) return typeof (only ?? choices?.[0] ?? "");
  return typeof type === "string" ? type : type.join(" or ");
}

function allowedWords(schema: Schema): string {
  const { enum: choices, const: only, minimum, maximum, maxLength } = schema;
  if (only !== undefined) return `\`${only}\``;
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(", ");
  const bound = (word: string, value: number | undefined) =>
    value === undefined ? [] : [`${word} ${value.toLocaleString("en-US")}`];
  return [
    ...(minimum === undefined ? bound("above", schema.exclusiveMinimum) : bound("from", minimum)),
    ...(maximum === undefined ? bound("below", schema.exclusiveMaximum) : bound("to", maximum)),
    ...(maxLength === undefined ? [] : [`up to ${maxLength} characters`]),
  ].join(" ");
}
