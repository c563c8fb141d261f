import type { z } from "zod";
import type { CheckFileOptions } from "../../check/check-file.ts";
import type { BacktestRequest } from "../jobs/job.ts";
import type { SnapshotData } from "./snapshot-data.ts";

/** Every path is served under both; they are the same version. */
export const BASE_PATHS = ["/v1", "/api/v1"] as const;

/** Parameters with every default filled in, also by the snapshot. They identify the answer. */
export type Resolved = Readonly<Record<string, string | number | undefined>>;

/** The group of the documentation that an operation is shown in. */
export type Tag = "Market" | "Backtests" | "Overfitting" | "Account";

/** What people need to know about an operation, and the schema of its `data`. */
interface Operation<Data extends z.ZodObject = z.ZodObject> {
  /** What follows the base path: `/dca`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly data: Data;
}

/** Fictitious parameters or bodies to show, by title. */
type Examples<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** GET of snapshot data. The document, the checks and the answers are all made from this. */
export interface ReadEndpoint<
  Query extends z.ZodObject = z.ZodObject,
  Data extends z.ZodObject = z.ZodObject,
  Given extends Resolved = Resolved,
> extends Operation<Data> {
  readonly kind: "read";
  readonly query: Query;
  readonly examples: Examples<string>;
  /** Checks parameters against the snapshot and fills in the defaults. Throws DomainError. */
  resolve(snapshot: SnapshotData, query: z.output<Query>): Given;
  /**
   * The `data` for resolved parameters. It depends on nothing else and never throws because of the caller.
   */
  answer(snapshot: SnapshotData, resolved: Given): z.output<Data>;
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
  Data extends z.ZodObject = z.ZodObject,
> extends Operation<Data> {
  readonly kind: "compute";
  readonly body: Body;
  readonly examples: Examples<string | number>;
  /** Throws DomainError. */
  answer(snapshot: SnapshotData, body: z.output<Body>): z.output<Data>;
}

/** POST that takes a backtest in. Costs the plan's units. */
export interface SubmitEndpoint<Body extends z.ZodObject = z.ZodObject> extends Operation {
  readonly kind: "submit";
  readonly body: Body;
  readonly examples: Examples<string | number>;
  /** Checks a body against the snapshot. Throws DomainError. */
  requestOf(snapshot: SnapshotData, body: z.output<Body>): BacktestRequest;
}

/** POST of a file in any format. Costs the plan's check units. */
export interface CheckEndpoint<Query extends z.ZodObject = z.ZodObject> extends Operation {
  readonly kind: "check";
  readonly query: Query;
  /** What is said beside the file. Throws DomainError. */
  optionsOf(snapshot: SnapshotData, query: z.output<Query>): CheckFileOptions;
}

/** GET of a job by its id, which follows the path and a slash. Costs nothing. */
export interface PollEndpoint extends Operation {
  readonly kind: "poll";
}

/** GET of the calling account itself. Takes no parameters and costs nothing. */
export interface UsageEndpoint extends Operation {
  readonly kind: "usage";
}

export type Endpoint =
  | ReadEndpoint
  | ComputeEndpoint
  | CheckEndpoint
  | SubmitEndpoint
  | PollEndpoint
  | UsageEndpoint;

/** Checks that the parts of an endpoint fit each other. The rest of the server sees the endpoint untyped. */
export function readEndpoint<
  Query extends z.ZodObject,
  Data extends z.ZodObject,
  Given extends Resolved,
>(definition: Omit<ReadEndpoint<Query, Data, Given>, "kind">): ReadEndpoint {
  return { kind: "read", ...definition };
}
