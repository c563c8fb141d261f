import { SharedBody, type TailedBody } from "../http/shared-body.ts";

/** The text before an answer's data, and between that and the caller's `meta`. */
export const DATA_START = '{"data":';
export const META_START = ',"meta":';

/** A 200 up to the caller's own `meta`. */
export interface Answer {
  /** Header lines, each as `\r\nName: value`. */
  readonly headers: string;
  /** `{"data":{...},"meta":`, to be followed by the caller's own `meta`. */
  readonly body: TailedBody;
}

/** The same for all callers of a snapshot. Its header lines are also those of a 304 in its place. */
export interface TaggedAnswer extends Answer {
  readonly etag: string;
}

/** The text of an answer up to the caller's own `meta`. */
export function answerText(data: object): string {
  return DATA_START + JSON.stringify(data) + META_START;
}

/** The body of an answer that is made for one caller only. */
export function answerBody(data: object): TailedBody {
  return new SharedBody(answerText(data));
}
