import type { z } from "zod";
import type { AnswerRecord, AnyRecord, Json } from "../../api/record.ts";
import type { Table } from "../../api/table.ts";
import type { CheckFileOptions } from "../../check/check-file.ts";
import type { JobKind } from "../../accounts/jobs/job.ts";
import type { Submission } from "../../accounts/jobs/job-store.ts";
import type { SnapshotData } from "./snapshot-data.ts";

/** Every path is served under both, which are the same version. */
export const BASE_PATHS = ["/v1", "/api/v1"] as const;

/** Parameters with every default filled in, including those that depend on the snapshot. They identify the answer. */
export type Resolved = Readonly<Record<string, string | number | undefined>>;

/** The group in which the documentation shows an operation. */
export type Tag = "Market" | "Backtests" | "Overfitting" | "Account";

/** What every kind of endpoint has: its place, its texts and the record of its `data`. */
interface Operation<Data extends AnyRecord = AnyRecord> {
  /** What follows the base path: `/dca`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly data: Data;
  /** The rows of an answer, for CSV. `asked` are the parameters. Left out if the answer has no list. */
  rows?(data: Json<Data>, asked: Resolved): Table;
}

/** Parameters or bodies to show in the documentation, by title. */
type Examples<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** The value that a record's JSON is made from. */
type SourceOf<Data> = Data extends AnswerRecord<infer From, unknown> ? From : never;

/** GET of snapshot data. Its checks, its answers and its part of the OpenAPI document are all made from this. */
export interface ReadEndpoint<
  Query extends z.ZodObject = z.ZodObject,
  Data extends AnyRecord = AnyRecord,
  Given extends Resolved = Resolved,
> extends Operation<Data> {
  readonly kind: "read";
  readonly query: Query;
  readonly examples: Examples<string>;
  /** Checks parameters against the snapshot and fills in the defaults. Throws DomainError. */
  resolve(snapshot: SnapshotData, query: z.output<Query>): Given;
  /** The value that `data` is made from. It depends on the resolved parameters alone and never fails because of them. */
  answer(snapshot: SnapshotData, resolved: Given): SourceOf<Data>;
  /** Makes parts that answers share ahead of the first request, in pieces of less than a millisecond. */
  readonly prepare?: ((snapshot: SnapshotData) => Iterable<unknown>) | undefined;
  /**
   * The text that nearly every `data` begins with, where it is most of the answer. It is kept and compressed once for all
   * of them. An answer that begins differently is kept whole.
   */
  readonly sharedPrefix?: ((snapshot: SnapshotData) => string) | undefined;
}

/** POST of a JSON body whose answer depends on it alone. Costs one call. */
export interface ComputeEndpoint<
  Body extends z.ZodObject = z.ZodObject,
  Data extends AnyRecord = AnyRecord,
> extends Operation<Data> {
  readonly kind: "compute";
  readonly body: Body;
  readonly examples: Examples<string | number>;
  /** Throws DomainError. */
  answer(snapshot: SnapshotData, body: z.output<Body>): SourceOf<Data>;
}

/** POST that takes a job in. Costs the plan's units for each of its runs. */
export interface SubmitEndpoint<Body extends z.ZodObject = z.ZodObject> extends Operation {
  readonly kind: "submit";
  readonly body: Body;
  readonly examples: Examples<string | number | object>;
  /** Set if a body may be longer than those of other endpoints. */
  readonly bodyMaxBytes?: number;
  /** Checks a body against the snapshot. Throws DomainError. */
  askedOf(
    snapshot: SnapshotData,
    body: z.output<Body>,
  ): Pick<Submission, "kind" | "request" | "runs" | "tried">;
}

/** POST of a file in any format. Costs the plan's check units. */
export interface CheckEndpoint<Query extends z.ZodObject = z.ZodObject> extends Operation {
  readonly kind: "check";
  readonly query: Query;
  /** The options of a check, from the parameters beside the file. Throws DomainError. */
  optionsOf(snapshot: SnapshotData, query: z.output<Query>): CheckFileOptions;
}

/** GET of a job by its id, which follows the path and a slash. Costs nothing. */
export interface PollEndpoint<Data extends AnyRecord = AnyRecord> extends Operation<Data> {
  readonly kind: "poll";
  readonly job: JobKind;
  /** The lists of a result that CSV can have the rows of. The first is the default. */
  readonly parts: readonly string[];
}

/** GET of the calling account itself. Takes no parameters and costs nothing. */
export interface UsageEndpoint<Data extends AnyRecord = AnyRecord> extends Operation<Data> {
  readonly kind: "usage";
}

export type Endpoint =
  | ReadEndpoint
  | ComputeEndpoint
  | CheckEndpoint
  | SubmitEndpoint
  | PollEndpoint
  | UsageEndpoint;

/** A GET of snapshot data. The compiler checks here that the parts of the definition fit each other. */
export function readEndpoint<
  Query extends z.ZodObject,
  Data extends AnyRecord,
  Given extends Resolved,
>(definition: Omit<ReadEndpoint<Query, Data, Given>, "kind">): ReadEndpoint<z.ZodObject, Data> {
  return { kind: "read", ...definition };
}

/** The `data` of an answer as JSON, for resolved parameters or for a body. */
export function dataOf<Data extends AnyRecord, Given>(
  endpoint: { readonly data: Data; answer(snapshot: SnapshotData, given: Given): unknown },
  snapshot: SnapshotData,
  given: Given,
): Json<Data> {
  return endpoint.data.from(endpoint.answer(snapshot, given) as never) as Json<Data>; // `readEndpoint` has checked that it fits the record
}
