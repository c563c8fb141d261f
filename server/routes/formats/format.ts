/** The `data` of an answer: plain values, as JSON has them. */
export type AnswerData = Readonly<Record<string, unknown>>;

/** How answers are written: one file a format, listed in `formats.ts`. Errors are always JSON. */
export interface AnswerFormat {
  /** As in `?format=`. */
  readonly name: string;
  /** As `Accept` names it. */
  readonly mediaType: string;
  readonly contentType: string;
  /** The text of an answer's `data`, up to the caller's own part. */
  write(data: AnswerData): string;
  /** The caller's own part, given `meta` as JSON; "" for a format that has no place for it. */
  end(meta: string): string;
}
