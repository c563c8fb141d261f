import { columnIn, type Cells } from "./cells.ts";

/** What a value of an answer is in JSON. */
export type Type =
  | { readonly kind: "integer"; readonly min?: number; readonly max?: number }
  | { readonly kind: "number" | "numberOrNull" | "text" | "flag" }
  | { readonly kind: "date" | "instant" | "address" }
  /** A text, a number, a boolean or a list of texts. */
  | { readonly kind: "value" }
  | { readonly kind: "choice"; readonly choice: Choice }
  | { readonly kind: "record"; readonly record: AnyRecord }
  | { readonly kind: "list"; readonly of: Type }
  /** An object whose members are called by data: a coin, a template. */
  | { readonly kind: "map"; readonly of: Type };

/** A text of a few. */
export interface Choice<Value extends string = string> {
  readonly values: readonly Value[];
  /** A choice with an id is described once and referred to. */
  readonly id?: string;
  readonly description?: string;
}

/** A member of an answer: what it is, what is said of it, and where its value comes from. */
export interface Member<From = never, Json = unknown> {
  readonly type: Type;
  readonly description: string;
  readonly isNullable: boolean;
  /** Whether it is left out where it has no value. */
  readonly isOptional: boolean;
  /** Undefined for the column of the member's own name. */
  readonly source: ((from: From) => unknown) | undefined;
  readonly write: (value: unknown) => Json;
}

export type Members<From> = Readonly<Record<string, Member<From>>>;

/** The JSON value of a member or a record. */
export type Json<Of> =
  Of extends AnswerRecord<never, infer M>
    ? { readonly [Name in keyof M]: M[Name] extends Member<never, infer Value> ? Value : never }
    : Of extends Member<never, infer Value>
      ? Value
      : never;

/** An object of an answer. Schema, documentation, JSON, CSV, types and what `fields` may name follow from its members. */
export interface AnswerRecord<From, M> {
  readonly members: M;
  /** A record with an id is described once, under this name, and referred to. */
  readonly id: string | undefined;
  readonly description: string;
  /** The JSON value. */
  of(from: From): Json<AnswerRecord<never, M>>;
}

export type AnyRecord = AnswerRecord<never, Members<never>>;

/** A record whose members find their values in `From`: `record<BuyHoldYear>()({ ... })`. */
export function record<From>({ id, description = "" }: { id?: string; description?: string } = {}) {
  return <const M extends Members<From>>(members: M): AnswerRecord<From, M> => {
    const writers = Object.entries(members).map(([name, { source, write, isOptional }]) => ({
      name,
      source: source ?? ((from: From) => columnIn(from as Cells, name)),
      write,
      isOptional,
    }));
    const always = writers.filter(({ isOptional }) => !isOptional);
    // A copy whose members are there already is filled several times faster than an object that grows.
    const blank = Object.fromEntries(always.map(({ name }) => [name, null]));
    return {
      members,
      id,
      description,
      of(from) {
        const json: Record<string, unknown> = { ...blank };
        for (const { name, source, write, isOptional } of writers) {
          const value = source(from);
          if (value !== undefined || !isOptional) json[name] = write(value);
        }
        return json as Json<AnswerRecord<never, M>>; // tests check every answer against its schema
      },
    };
  };
}
