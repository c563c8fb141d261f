import type { Reply } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
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

/** The pages on which callers open accounts and make keys. They alone read cookies. */
export interface AccountPages {
  /** The methods that a path takes; undefined if it is none of theirs. */
  methods(path: string): readonly string[] | undefined;
  /**
   * Does what a request asks, and makes its reply when it is the network's turn. `network` is "" for one without limits.
   * Header lines are all that a reply needs.
   */
  answer(request: HttpRequest, network: string): Promise<() => Reply>;
}
