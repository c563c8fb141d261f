import type { z } from "zod";
import type { SnapshotData } from "./snapshot-data.ts";

/** Every path is served under both; neither is another version. */
export const BASE_PATHS = ["/v1", "/api/v1"] as const;

/** Parameters with every default filled in, also those that depend on the snapshot. They name the answer. */
export type Resolved = Readonly<Record<string, string | number | undefined>>;

/**
 * One operation on snapshot data: what it is for people, what it takes, what it gives, and the function between.
 * The document, the checks and the answers are all made from this.
 */
export interface Endpoint {
  /** Behind the base path: `/dca`. */
  readonly path: string;
  /** Asked by POST with a JSON body; without it, by GET. */
  readonly takesBody?: true;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query: z.ZodObject;
  /** Schema of `data`. */
  readonly data: z.ZodObject;
  /** Made-up parameters to show, by a title. */
  readonly examples: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Checks parameters against the snapshot and fills its defaults in. Throws DomainError. */
  resolve(snapshot: SnapshotData, query: never): Resolved;
  /** The `data` of resolved parameters: depends on nothing else, and never throws for a caller's fault. */
  answer(snapshot: SnapshotData, resolved: never): object;
}

interface Definition<
  Query extends z.ZodObject,
  Data extends z.ZodObject,
  Given extends Resolved,
> extends Omit<Endpoint, "query" | "data" | "resolve" | "answer"> {
  readonly query: Query;
  readonly data: Data;
  readonly resolve: (snapshot: SnapshotData, query: z.output<Query>) => Given;
  readonly answer: (snapshot: SnapshotData, resolved: Given) => z.output<Data>;
}

/** Checks that the parts of an endpoint fit each other; the rest of the server sees it untyped. */
export function endpoint<
  Query extends z.ZodObject,
  Data extends z.ZodObject,
  Given extends Resolved,
>(definition: Definition<Query, Data, Given>): Endpoint {
  return definition;
}
