import type { z } from "zod";
import type { AnswerRecord, AnyRecord, Json } from "../../api/record.ts";
import type { Table } from "../../api/table.ts";
import type { CheckFileOptions } from "../../check/check-file.ts";
import type { JobKind } from "../jobs/job.ts";
import type { Submission } from "../jobs/job-store.ts";
import type { SnapshotData } from "./snapshot-data.ts";

/** Every path is served under both; they are the same version. */
export const BASE_PATHS = ["/v1", "/api/v1"] as const;

/** Parameters with every default filled in, also by the snapshot. They identify the answer. */
export type Resolved = Readonly<Record<string, string | number | undefined>>;

/** The group of the documentation that an operation is shown in. */
export type Tag = "Market" | "Backtests" | "Overfitting" | "Account";

/** What people need to know about an operation, and the record of its `data`. */
interface Operation<Data extends AnyRecord = AnyRecord> {
  /** What follows the base path: `/dca`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly data: Data;
  /** The rows of an answer that has some: those of CSV. `asked` are the parameters. */
  rows?(data: Json<Data>, asked: Resolved): Table;
}

/** Fictitious parameters or bodies to show, by title. */
type Examples<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** What a record's JSON is made from. */
type SourceOf<Data> = Data extends AnswerRecord<infer From, unknown> ? From : never;

/** GET of snapshot data. The document, the checks and the answers are all made from this. */
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
  /**
   * What `data` is made from, for resolved parameters. It depends on nothing else and never throws because of the caller.
   */
  answer(snapshot: SnapshotData, resolved: Given): SourceOf<Data>;
  /** Makes ahead, in pieces of less than a millisecond, what answers share and takes long at a stretch. */
  readonly prepare?: ((snapshot: SnapshotData) => Iterable<unknown>) | undefined;
  /**
   * The text that nearly every `data` begins with, if that is most of it: it is kept, and compressed, once for all of
   * them. An answer that begins differently is kept whole.
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
  /** Where longer ones are taken than elsewhere. */
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
  /** What is said beside the file. Throws DomainError. */
  optionsOf(snapshot: SnapshotData, query: z.output<Query>): CheckFileOptions;
}

/** GET of a job by its id, which follows the path and a slash. Costs nothing. */
export interface PollEndpoint<Data extends AnyRecord = AnyRecord> extends Operation<Data> {
  readonly kind: "poll";
  readonly job: JobKind;
  /** The lists of a result that rows can be of; the first is the default. */
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

/** Checks that the parts of an endpoint fit each other. The rest of the server knows no more than its `data`. */
export function readEndpoint<
  Query extends z.ZodObject,
  Data extends AnyRecord,
  Given extends Resolved,
>(definition: Omit<ReadEndpoint<Query, Data, Given>, "kind">): ReadEndpoint<z.ZodObject, Data> {
  return { kind: "read", ...definition };
}

/** `data` for resolved parameters, or for a body. */
export function dataOf<Data extends AnyRecord, Given>(
  endpoint: { readonly data: Data; answer(snapshot: SnapshotData, given: Given): unknown },
  snapshot: SnapshotData,
  given: Given,
): Json<Data> {
  return endpoint.data.of(endpoint.answer(snapshot, given) as never) as Json<Data>; // `readEndpoint` holds them to each other
}
