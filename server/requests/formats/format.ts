import type { Attribution } from "../../../api/attribution.ts";
import type { Table } from "../../../api/table.ts";

/** What a format writes of an answer. */
export interface AnswerParts {
  readonly data: { readonly attribution: Attribution };
  /** The rows, made only when a format needs them. */
  table(): Table;
  /** The path and parameters in a few words, for the name of a file. */
  readonly asked: string;
}

/** How answers are written. Each format has a file and a place in the list of `formats.ts`. Errors are always JSON. */
export interface AnswerFormat {
  /** As in `?format=`. */
  readonly name: string;
  /** As `Accept` names it. */
  readonly mediaType: string;
  readonly contentType: string;
  /** The text of an answer, up to the caller's own part. */
  write(answer: AnswerParts): string;
  /** Header lines of its own. */
  headers(answer: AnswerParts): string;
  /** The caller's own part, given `meta` as JSON; "" for a format that has no place for it. */
  end(meta: string): string;
}
