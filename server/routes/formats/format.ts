import type { Attribution } from "../../../api/attribution.ts";
import type { Table } from "../../../api/table.ts";

/** What is written of an answer: its `data` as JSON has it, and its rows. */
export interface AnswerParts {
  readonly data: object;
  /** Made when a format needs it. */
  table(): Table;
}

/** What a format may say of an answer in headers. */
export interface AnswerAbout {
  readonly attribution: Attribution;
  /** What was asked, in a few words for the name of a file. */
  readonly asked: string;
}

/** How answers are written: one file a format, listed in `formats.ts`. Errors are always JSON. */
export interface AnswerFormat {
  /** As in `?format=`. */
  readonly name: string;
  /** As `Accept` names it. */
  readonly mediaType: string;
  readonly contentType: string;
  /** The text of an answer, up to the caller's own part. */
  write(answer: AnswerParts): string;
  /** Header lines of its own. */
  headers(about: () => AnswerAbout): string;
  /** The caller's own part, given `meta` as JSON; "" for a format that has no place for it. */
  end(meta: string): string;
}
