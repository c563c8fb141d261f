import { NO_STORE } from "../http/reply.ts";
import { SharedBody, type BodyPrefix } from "../http/shared-body.ts";
import { varyLine } from "../routes/formats/choose-format.ts";
import type { AnswerData, AnswerFormat } from "../routes/formats/format.ts";

/** A 200 up to the caller's own `meta`. */
export interface Answer {
  readonly format: AnswerFormat;
  /** Header lines, each as `\r\nName: value`. */
  readonly headers: string;
  /** What the format writes of `data`, to be followed by the caller's own `meta`. */
  readonly body: BodyPrefix;
}

/** The same for all callers of a snapshot. Its header lines are also those of a 304 in its place. */
export interface TaggedAnswer extends Answer {
  readonly etag: string;
}

/** An answer that is made for one caller only. */
export function privateAnswer(data: object, format: AnswerFormat): Answer {
  const body = new SharedBody(format.write(data as AnswerData));
  return { format, headers: NO_STORE + varyLine(), body };
}
