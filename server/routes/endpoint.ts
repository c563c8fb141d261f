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
interface Operation {
  /** What follows the base path: `/dca`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly data: z.ZodObject;
}

/** GET of snapshot data. The document, the checks and the answers are all made from this. */
export interface ReadEndpoint extends Operation {
  readonly kind: "read";
  readonly query: z.ZodObject;
  /** Fictitious parameters to show, by title. */
  readonly examples: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Checks parameters against the snapshot and fills in the defaults. Throws DomainError. */
  resolve(snapshot: SnapshotData, query: never): Resolved;
  /**
   * The `data` for resolved parameters. It depends on nothing else and never throws because of the caller.
   */
  answer(snapshot: SnapshotData, resolved: never): object;
  /**
   * The text that nearly every `data` begins with, if that is most of it: it is kept, and compressed, once for all of
   * them. An answer that begins differently is kept whole.
   */
  readonly sharedPrefix?: ((snapshot: SnapshotData) => string) | undefined;
}

/** POST of a JSON body whose answer depends on it alone. Costs one call. */
export interface ComputeEndpoint extends Operation {
  readonly kind: "compute";
  readonly body: z.ZodObject;
  /** Fictitious bodies to show, by title. */
  readonly examples: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  /** Throws DomainError. */
  answer(snapshot: SnapshotData, body: never): object;
}

/** POST that takes a backtest in. Costs the plan's units. */
export interface SubmitEndpoint extends Operation {
  readonly kind: "submit";
  readonly body: z.ZodObject;
  readonly examples: ComputeEndpoint["examples"];
  /** Checks a body against the snapshot. Throws DomainError. */
  requestOf(snapshot: SnapshotData, body: never): BacktestRequest;
}

/** POST of a file in any format. Costs the plan's check units. */
export interface CheckEndpoint extends Operation {
  readonly kind: "check";
  readonly query: z.ZodObject;
  /** What is said beside the file. Throws DomainError. */
  optionsOf(snapshot: SnapshotData, query: never): CheckFileOptions;
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

interface ReadDefinition<
  Query extends z.ZodObject,
  Data extends z.ZodObject,
  Given extends Resolved,
> extends Omit<ReadEndpoint, "kind" | "query" | "data" | "resolve" | "answer"> {
  readonly query: Query;
  readonly data: Data;
  readonly resolve: (snapshot: SnapshotData, query: z.output<Query>) => Given;
  readonly answer: (snapshot: SnapshotData, resolved: Given) => z.output<Data>;
}

/** Checks that the parts of an endpoint fit each other. The rest of the server sees the endpoint untyped. */
export function readEndpoint<
  Query extends z.ZodObject,
  Data extends z.ZodObject,
  Given extends Resolved,
>(definition: ReadDefinition<Query, Data, Given>): ReadEndpoint {
  return { kind: "read", ...definition };
}

interface ComputeDefinition<Body extends z.ZodObject, Data extends z.ZodObject> extends Omit<
  ComputeEndpoint,
  "kind" | "body" | "data" | "answer"
> {
  readonly body: Body;
  readonly data: Data;
  readonly answer: (snapshot: SnapshotData, body: z.output<Body>) => z.output<Data>;
}

export function computeEndpoint<Body extends z.ZodObject, Data extends z.ZodObject>(
  definition: ComputeDefinition<Body, Data>,
): ComputeEndpoint {
  return { kind: "compute", ...definition };
}
