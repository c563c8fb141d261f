import { propertyOf, type PropertyOf } from "../quant/letter-case.ts";
import { columnIn, type Cells } from "./cells.ts";

/** The JSON type of a value. */
export type Type =
  | { readonly kind: "integer"; readonly min?: number; readonly max?: number }
  | { readonly kind: "number" | "numberOrNull" | "text" | "textOrNull" | "flag" }
  | { readonly kind: "date" | "instant" | "address" }
  /** A text, a number, a boolean or a list of texts. */
  | { readonly kind: "value" }
  | { readonly kind: "choice"; readonly choice: Choice }
  | { readonly kind: "record"; readonly record: AnyRecord }
  | { readonly kind: "list"; readonly item: Type }
  /** An object whose names are data: coins, templates. */
  | { readonly kind: "map"; readonly item: Type };

/** One of a few texts. */
export interface Choice<Value extends string = string> {
  readonly values: readonly Value[];
  /** The schema describes a choice with an id once, and refers to it. */
  readonly id?: string;
  readonly description?: string;
}

/** A member of an answer: its type, its description, and where its value comes from. */
export interface Member<From = never, Json = unknown> {
  readonly type: Type;
  readonly description: string;
  readonly isNullable: boolean;
  /** Whether it is left out where it has no value. */
  readonly isOptional: boolean;
  /** Undefined where the value is the property of the member's own name. */
  readonly source: ((from: From) => unknown) | undefined;
  readonly write: (value: unknown) => Json;
}

declare const NAMED: unique symbol;

/** A member without a source: its value is the property, or the column of a row, that has its name. */
export interface NamedMember<Value, Json> extends Member<unknown, Json> {
  readonly [NAMED]: (value: Value) => void;
}

export type Members<From> = Readonly<Record<string, Member<From>>>;

/** The JSON value of a member or a record. */
export type Json<Of> =
  Of extends AnswerRecord<never, infer M>
    ? { readonly [Name in keyof M]: M[Name] extends Member<never, infer Value> ? Value : never }
    : Of extends Member<never, infer Value>
      ? Value
      : never;

/** An object of an answer. Schema, docs, JSON, CSV, types and what `fields` may name follow from its members. */
export interface AnswerRecord<From, M> {
  readonly members: M;
  /** The schema describes a record with an id once, under this name, and refers to it. */
  readonly id: string | undefined;
  readonly description: string;
  /** The JSON value. */
  from(from: From): Json<AnswerRecord<never, M>>;
}

export type AnyRecord = AnswerRecord<never, Members<never>>;

/** The members without a source that `From` has no property for. */
type Unknown<From, M> = {
  [Name in keyof M & string]: M[Name] extends NamedMember<infer Value, unknown>
    ? From extends { readonly [Property in PropertyOf<Name>]?: Value }
      ? PropertyOf<Name> extends keyof From
        ? never
        : Name
      : Name
    : never;
}[keyof M & string];

interface About {
  readonly id?: string;
  readonly description?: string;
}

/** A member without a source and without a property to take its place is an error, which names the property. */
type MakeRecord<From> = <const M extends Members<From>>(
  members: M & {
    readonly [
      Name in Unknown<From, M>
    ]: `a member with a source, as there is no ${PropertyOf<Name>}`;
  },
) => AnswerRecord<From, M>;

/** A record whose members find their values in `From`: `record<BuyHoldYear>()({ ... })`. */
export function record<From>(about: About = {}): MakeRecord<From> {
  const make = (members: Members<From>) =>
    recordOf<From, Members<From>>(about, members, (name) => {
      const property = propertyOf(name) as keyof From;
      return (from) => from[property];
    });
  return make as unknown as MakeRecord<From>; // the properties of `From` exist only as types
}

/** What a record is made from. */
export type FactsOf<R> = R extends AnswerRecord<infer From, unknown> ? From : never;

/** What members are made from: the properties of those without a source, and what the sources of the others take. */
type Facts<M> = AllOf<SourcesOf<M>> & {
  readonly [
    Name in keyof M & string as M[Name] extends NamedMember<never, unknown>
      ? PropertyOf<Name>
      : never
  ]: M[Name] extends NamedMember<infer Value, unknown> ? Value : never;
};

type SourcesOf<M> = {
  [Name in keyof M]: M[Name] extends NamedMember<never, unknown>
    ? never
    : M[Name] extends Member<infer From>
      ? (from: From) => void
      : never;
}[keyof M];

type AllOf<Sources> = [Sources] extends [(from: infer All) => void] ? All : unknown;

/** A record whose members say by themselves what it is made from: a source names what it takes. */
export function facts(about: About = {}) {
  return <const M extends Members<never>>(members: M) =>
    record<Facts<M>>(about)(members as never) as unknown as AnswerRecord<Facts<M>, M>;
}

/** A record whose members are the columns of a table's row. */
export function rowRecord(about: About = {}) {
  return <const M extends Members<Cells>>(members: M): AnswerRecord<Cells, M> =>
    recordOf(about, members, (name) => (cells) => columnIn(cells, name));
}

function recordOf<From, M extends Members<From>>(
  { id, description = "" }: About,
  members: M,
  sourceOf: (name: string) => (from: From) => unknown,
): AnswerRecord<From, M> {
  const writers = Object.entries(members).map(([name, { source, write, isOptional }]) => ({
    name,
    source: source ?? sourceOf(name),
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
    from(from) {
      const json: Record<string, unknown> = { ...blank };
      for (const { name, source, write, isOptional } of writers) {
        const value = source(from);
        if (value !== undefined || !isOptional) json[name] = write(value);
      }
      return json as Json<AnswerRecord<never, M>>; // tests check every answer against its schema
    },
  };
}
