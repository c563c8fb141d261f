import type { z } from "zod";
import type { BacktestRequest } from "../jobs/job.ts";
import { ByteWriter } from "../http/byte-writer.ts";
import type { SnapshotData } from "./snapshot-data.ts";

/** Every path is served under both; they are the same version. */
export const BASE_PATHS = ["/v1", "/api/v1"] as const;

/** The initial size for a written answer. */
const ANSWER_BYTES = 4 * 1024;

/**
 * Parameters with every default filled in, including those that depend on the snapshot. They identify the
 * answer.
 */
export type Resolved = Readonly<Record<string, string | number | undefined>>;

/** What people need to know about an operation, and the schema of its `data`. */
interface Operation {
  /** What follows the base path: `/dca`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly data: z.ZodObject;
}

/**
 * GET of snapshot data: its parameters, its answer, and the function between the two. The document, the
 * checks and the answers are all made from this.
 */
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
   * What `answer` returns, in the form that is written item by item, if it ends in a list that may be of any
   * length; undefined for any other answer.
   */
  readonly long?: ((snapshot: SnapshotData, resolved: never) => LongAnswer | undefined) | undefined;
  /**
   * Makes what its answers share, one piece per step, for whoever prepares them. An answer that is asked for
   * before that makes all of it at once.
   */
  readonly parts?: ((snapshot: SnapshotData) => Iterable<unknown>) | undefined;
  /**
   * The text that nearly every `data` begins with, if that is most of it: it is kept once for all. An answer
   * that begins differently is kept whole.
   */
  readonly beginning?: ((snapshot: SnapshotData) => string) | undefined;
  /**
   * Set if there are so many answers that most are asked for only once. Such answers are kept from the second
   * time on.
   */
  readonly written?: WrittenData | undefined;
}

/** A `data` that ends in a list of any length. */
export interface LongAnswer {
  /** The members before the list; at least one. */
  readonly data: object;
  /** The list's name. */
  readonly list: string;
  /** Each is made when it is asked for. */
  readonly items: Iterable<object>;
  /** How many items there are. */
  readonly count: number;
}

/** How to write answers anew, straight before each is sent, until one is asked for again. */
export interface WrittenData<Query = never, Plan = never> {
  /** Like `resolve`, in the form that writing needs: what a query asks for, with every default filled in. */
  plan(snapshot: SnapshotData, query: Query): Plan;
  /** Writes the parameters that `resolve` returns as a query, which identifies the answer. */
  writeName(this: void, out: ByteWriter, plan: Plan): void;
  /** Writes as JSON what `answer` returns. */
  writeData(out: ByteWriter, plan: Plan): void;
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
  | SubmitEndpoint
  | PollEndpoint
  | UsageEndpoint;

interface ReadDefinition<
  Query extends z.ZodObject,
  Data extends z.ZodObject,
  Given extends Resolved,
> extends Omit<
  ReadEndpoint,
  "kind" | "query" | "data" | "resolve" | "answer" | "long" | "written"
> {
  readonly query: Query;
  readonly data: Data;
  readonly resolve: (snapshot: SnapshotData, query: z.output<Query>) => Given;
  readonly answer: (snapshot: SnapshotData, resolved: Given) => z.output<Data>;
  readonly long?: (snapshot: SnapshotData, resolved: Given) => LongAnswer | undefined;
}

/** Checks that the parts of an endpoint fit each other. The rest of the server sees the endpoint untyped. */
export function readEndpoint<
  Query extends z.ZodObject,
  Data extends z.ZodObject,
  Given extends Resolved,
>(definition: ReadDefinition<Query, Data, Given>): ReadEndpoint {
  return readEndpointOf(definition);
}

/**
 * Gives all endpoints the same members in the same order, even unused ones, so that every request reads them
 * through one hidden class.
 */
function readEndpointOf(definition: Omit<ReadEndpoint, "kind">): ReadEndpoint {
  return {
    kind: "read",
    path: definition.path,
    operationId: definition.operationId,
    summary: definition.summary,
    description: definition.description,
    query: definition.query,
    data: definition.data,
    examples: definition.examples,
    resolve: definition.resolve,
    answer: definition.answer,
    long: definition.long,
    parts: definition.parts,
    beginning: definition.beginning,
    written: definition.written,
  };
}

interface WrittenDefinition<Query extends z.ZodObject, Data extends z.ZodObject, Plan> extends Omit<
  ReadDefinition<Query, Data, Resolved>,
  "resolve" | "answer"
> {
  readonly resolved: (plan: Plan) => z.output<Query> & Resolved;
  readonly written: WrittenData<z.output<Query>, Plan>;
}

/** An endpoint whose answers are written as bytes; its `answer` parses what was written. */
export function writtenEndpoint<Query extends z.ZodObject, Data extends z.ZodObject, Plan>({
  resolved,
  written,
  ...rest
}: WrittenDefinition<Query, Data, Plan>): ReadEndpoint {
  const resolve = (snapshot: SnapshotData, query: z.output<Query>) =>
    resolved(written.plan(snapshot, query));
  const answer = (snapshot: SnapshotData, query: z.output<Query>): object => {
    const out = new ByteWriter(ANSWER_BYTES);
    written.writeData(out, written.plan(snapshot, query));
    return JSON.parse(out.written.toString()) as object;
  };
  // The same functions make and take plans; nothing between them looks inside one.
  return readEndpointOf({ ...rest, resolve, answer, written: written as WrittenData });
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
