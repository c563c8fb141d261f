/** The kinds of members that a record may have. Each kind has `orNull` and `ifAny` for values that may be missing. */
import { dateOfDay } from "../quant/calendar.ts";
import { known } from "./figure-out-of-range.ts";
import type { AnswerRecord, Choice, Json, Member, Members, NamedMember, Type } from "./record.ts";
import { percentOf, significant } from "./significant-digits.ts";

/** Makes a member. Without a source, its value is the property of its own name: see `record`. */
interface Kind<Value, Written> {
  (description?: string): NamedMember<Value, Written>;
  <From>(description: string, source: (from: From) => Value): Member<From, Written>;
}

/** Null, undefined and NaN mean that there is no value. */
type Missing<Value> = Value | null | undefined;

interface Kinds<Value, Written> extends Kind<Value, Written> {
  readonly orNull: Kind<Missing<Value>, Written | null>;
  /** The member is left out where its source gives undefined. */
  readonly ifAny: Kind<Value | undefined, Written | undefined>;
}

function kindOf<Value, Written>(
  type: Type,
  write: (value: Value) => Written,
): Kinds<Value, Written> {
  type FromAny = (value: unknown) => Written;
  const make =
    <Result>(about: Pick<Member, "isNullable" | "isOptional">, write: (value: unknown) => Result) =>
    <From>(description = "", source?: (from: From) => unknown): Member<From, Result> => {
      return { type, description, ...about, source, write };
    };
  const orNull = (value: unknown) => (isMissing(value) ? null : write(value as Value));
  const kinds = Object.assign(make({ isNullable: false, isOptional: false }, write as FromAny), {
    orNull: make({ isNullable: true, isOptional: false }, orNull),
    ifAny: make({ isNullable: false, isOptional: true }, write as FromAny),
  });
  return kinds as unknown as Kinds<Value, Written>; // the values that a named member takes exist only as types
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || Number.isNaN(value);
}

const asItIs = <Value>(value: Value): Value => value;

/** A whole number. */
export const int = kindOf<number, number>({ kind: "integer" }, asItIs);

// JSON has no infinity, so an infinite number is written as null. A member that is never null gets finite numbers only.
type Write = (value: number) => number;

/** A number with at most 10 significant digits. */
export const number = kindOf<number, number>({ kind: "number" }, significant as Write);
/** A fraction, written as a percentage: 0.125 is 12.5. */
export const percent = kindOf<number, number>({ kind: "number" }, percentOf as Write);

/** A number or a percentage that a caller's input may make infinite. Then it throws `FigureOutOfRange`. */
export const finite = kindOf<number, number>({ kind: "number" }, (value) =>
  known(value, significant(value)),
);
export const finitePercent = kindOf<number, number>({ kind: "number" }, (fraction) =>
  known(fraction, percentOf(fraction)),
);

export const text = kindOf<string, string>({ kind: "text" }, asItIs);
/** An address on the web. */
export const address = kindOf<string, string>({ kind: "address" }, asItIs);
export const flag = kindOf<boolean, boolean>({ kind: "flag" }, asItIs);
/** A UTC day, as days since 1970-01-01. */
export const date = kindOf<number, string>({ kind: "date" }, dateOfDay);
/** Milliseconds since 1970-01-01. */
export const instant = kindOf<number, string>({ kind: "instant" }, (ms) =>
  new Date(ms).toISOString(),
);

/** A whole number from `min` to `max`. */
export const intBetween = (min: number, max: number) =>
  kindOf<number, number>({ kind: "integer", min, max }, asItIs);

/** One of a few texts. */
export const oneOf = <const Value extends string>(
  values: readonly Value[],
  about: Omit<Choice, "values"> = {},
) => kindOf<Value, Value>({ kind: "choice", choice: { ...about, values } }, asItIs);

/** A list of a few texts. */
export const manyOf = <const Value extends string>(values: readonly Value[]) =>
  kindOf<readonly Value[], readonly Value[]>(
    { kind: "list", item: { kind: "choice", choice: { values } } },
    asItIs,
  );

/** A record within a record. */
export const object = <Item, M extends Members<Item>>(record: AnswerRecord<Item, M>) =>
  kindOf<Item, Json<typeof record>>({ kind: "record", record }, (item) => record.from(item));

/** A record that is JSON already, because it was stored. */
export const written = <Item, M extends Members<Item>>(record: AnswerRecord<Item, M>) =>
  kindOf<Json<typeof record>, Json<typeof record>>({ kind: "record", record }, asItIs);

/** A list of records that are JSON already, because several answers share them. */
export const writtenList = <Item, M extends Members<Item>>(record: AnswerRecord<Item, M>) =>
  kindOf<readonly Json<typeof record>[], readonly Json<typeof record>[]>(
    { kind: "list", item: { kind: "record", record } },
    asItIs,
  );

/** A list of records. */
export const list = <Item, M extends Members<Item>>(record: AnswerRecord<Item, M>) =>
  kindOf<readonly Item[], readonly Json<typeof record>[]>(
    { kind: "list", item: { kind: "record", record } },
    (items) => items.map((item) => record.from(item)),
  );

/** Records by name, where the names are data: coins, templates. */
export const map = <Item, M extends Members<Item>>(record: AnswerRecord<Item, M>) =>
  kindOf<ByName<Item>, ByName<Json<typeof record>>>(
    { kind: "map", item: { kind: "record", record } },
    (items) => mapped(items, (item) => record.from(item)),
  );

type ByName<Value> = Readonly<Record<string, Value>>;

function mapped<Value, Written>(
  items: ByName<Value>,
  write: (value: Value) => Written,
): ByName<Written> {
  return Object.fromEntries(Object.entries(items).map(([name, value]) => [name, write(value)]));
}

export const texts = kindOf<readonly string[], readonly string[]>(
  { kind: "list", item: { kind: "text" } },
  asItIs,
);
export const textsOrNull = kindOf<readonly (string | null)[], readonly (string | null)[]>(
  { kind: "list", item: { kind: "textOrNull" } },
  asItIs,
);
export const ints = kindOf<readonly number[], readonly number[]>(
  { kind: "list", item: { kind: "integer" } },
  asItIs,
);
export const numbers = kindOf<readonly number[], readonly number[]>(
  { kind: "list", item: { kind: "number" } },
  (values) => values.map(significant as Write),
);
/** Fractions, written as percentages; NaN is written as null. */
export const percents = kindOf<readonly number[], readonly (number | null)[]>(
  { kind: "list", item: { kind: "numberOrNull" } },
  (fractions) => fractions.map(percentOf),
);
export const dates = kindOf<ArrayLike<number>, readonly string[]>(
  { kind: "list", item: { kind: "date" } },
  (days) => Array.from(days, dateOfDay),
);
/** Columns of numbers by name; NaN is written as null. */
export const columnsByName = kindOf<ByName<Float64Array>, ByName<readonly (number | null)[]>>(
  { kind: "map", item: { kind: "list", item: { kind: "numberOrNull" } } },
  (columns) => mapped(columns, (values) => Array.from(values, significant)),
);
type Value = string | number | boolean | readonly string[];

/** Values of several kinds by name. */
export const valuesByName = kindOf<ByName<Value>, ByName<Value>>(
  { kind: "map", item: { kind: "value" } },
  asItIs,
);
/** Numbers by name: the parameters of a template. */
export const numbersByName = kindOf<ByName<number>, ByName<number>>(
  { kind: "map", item: { kind: "number" } },
  (values) => mapped(values, significant as Write),
);
