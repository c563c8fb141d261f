/** What is served without a key. */
import { CompressedBody } from "../http/compressed-body.ts";
import type { Reply } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";

/** A page, a script, the OpenAPI document. */
export interface OpenResource {
  readonly contentType: string;
  /** Additional header lines. */
  readonly headers?: string;
  /** Set if browsers may keep it for ever, because its address changes with its content. */
  readonly isImmutable?: boolean;
  body(): Promise<CompressedBody>;
}

/** A resource whose text is made and compressed at the first request. After a failure, the next request tries again. */
export function madeOnce(
  about: Omit<OpenResource, "body">,
  text: () => string | Uint8Array | Promise<string>,
): OpenResource {
  let made: Promise<CompressedBody> | undefined;
  const make = async () => await CompressedBody.from(await text());
  const forget = (error: unknown) => {
    made = undefined;
    throw error;
  };
  return { ...about, body: () => (made ??= make().catch(forget)) };
}

/** The pages of the snapshot in force, and what they load. */
export interface Pages {
  /** The addresses of all pages. */
  readonly paths: readonly string[];
  find(path: string): OpenResource | undefined;
}

/** What browsers need besides the pages of a snapshot. */
export interface Site {
  /** A script or style sheet by its path. */
  asset(path: string): OpenResource | undefined;
  /** Loads the code that renders the page which takes the place of another. It fails only if a file cannot be read. */
  problemPage(): Promise<(problem: Problem) => ProblemPage>;
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
  /** The methods that a path takes, or undefined if it is none of theirs. */
  methods(path: string): readonly string[] | undefined;
  /**
   * Does what a request asks for. The function returned makes the reply, and is called when it is the network's turn.
   * `networks` are the widths of the one it comes from, the narrowest first, and empty for one without limits.
   */
  answer(request: HttpRequest, networks: readonly string[]): Promise<() => Reply>;
}
