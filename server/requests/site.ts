import type { Reply } from "../http/reply.ts";
import type { OpenResource } from "./route-table.ts";

/** What browsers need beside the pages of a snapshot. */
export interface Site {
  /** A script or style sheet by its path. */
  asset(path: string): OpenResource | undefined;
  /** A page in place of one that cannot be shown. */
  problem(problem: Problem): ProblemPage | Promise<ProblemPage>;
}

export type ProblemPage = Required<Pick<Reply, "headers" | "contentType" | "body">>;

export interface Problem {
  readonly title: string;
  readonly sentence: string;
  /** The path that was probably meant. */
  readonly meant?: string | undefined;
}
