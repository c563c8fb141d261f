import { acceptsGzip } from "../http/accept-encoding.ts";
import { NO_STORE, PRIVATE_ANSWER_HEADERS } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import { SharedBody, type BodyPrefix } from "../http/shared-body.ts";
import type { Endpoint, Resolved } from "../routes/endpoint.ts";
import { varyLine, type ChosenForm } from "../routes/formats/choose-format.ts";
import type { AnswerFormat } from "../routes/formats/format.ts";
import { DATA_START, json, META_START } from "../routes/formats/json.ts";
import { formatsOf, writeAnswer } from "../routes/formats/write-answer.ts";

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
export function privateAnswer(
  endpoint: Endpoint,
  form: Omit<ChosenForm, "query">,
  data: object,
  asked?: Resolved,
): Answer {
  const { text, lines } = writeAnswer(endpoint, form, data, asked);
  const headers = NO_STORE + varyLine(formatsOf(endpoint)) + lines;
  return { format: form.format, headers, body: new SharedBody(text) };
}

/** Answers from this length on are not compressed on the event loop. */
const LONG_BYTES = 4 * 1024;

/** Whether sending an answer takes compressing that is better done off the event loop first. */
export function needsCompressing({ body }: Answer, { acceptEncoding }: HttpRequest): boolean {
  return body.prefixBytes >= LONG_BYTES && !body.isCompressed && acceptsGzip(acceptEncoding);
}

/** An answer in JSON for one caller only, from the parts of its `data`. */
export async function answerOfParts(
  data: readonly (string | Buffer)[],
  request: HttpRequest,
  lines = "",
): Promise<Answer> {
  const parts = [DATA_START, ...data, META_START].map((part) => Buffer.from(part as string));
  const body = new SharedBody(Buffer.concat(parts));
  const answer = { format: json, headers: PRIVATE_ANSWER_HEADERS + lines, body };
  if (needsCompressing(answer, request)) await body.compress();
  return answer;
}
