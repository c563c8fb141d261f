import { FileRefused } from "../../files/refused.ts";

/** A file as it was sent: the whole body, or a part of a form of the type `multipart/form-data` (RFC 7578). */
interface SentRecord {
  readonly bytes: Uint8Array;
  readonly fileName?: string | undefined;
}

export interface SentRecords {
  readonly backtest: SentRecord;
  readonly live?: SentRecord | undefined;
}

const FORM = /^multipart\/form-data[ \t]*(?:;|$)/i;
/** A parameter of a header: a token or a quoted string, without regard to the case of its name (RFC 9110, 5.6.6). */
const PARAMETER = /;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))/g;
const DISPOSITION = /^content-disposition[ \t]*:[ \t]*form-data[ \t]*(;.*)?$/im;
const NAMES = ["backtest", "live"];
const HEAD_END = "\r\n\r\n";
const HEAD_MAX = 16 * 1024;

export function isForm(contentType: string): boolean {
  return FORM.test(contentType);
}

/**
 * The two parts of a form. Throws `FileRefused` if there are others or fewer, or if the form is not complete: without its
 * closing delimiter, the last file may have been cut anywhere.
 */
export function recordsOfForm(
  body: Buffer,
  contentType: string,
): { backtest: SentRecord; live: SentRecord } {
  const parts = new Map<string, SentRecord>();
  for (const { name, ...part } of formParts(body, contentType)) {
    if (!NAMES.includes(name))
      throw new FileRefused(`the form may have the parts "backtest" and "live", got "${name}"`);
    if (parts.has(name)) throw new FileRefused(`the form has the part "${name}" twice`);
    parts.set(name, part);
  }
  const [backtest, live] = NAMES.map((name) => parts.get(name));
  if (backtest === undefined) throw new FileRefused('the form has no part "backtest"');
  if (live === undefined)
    throw new FileRefused('the form has no part "live": send a backtest alone as the body itself');
  return { backtest, live };
}

/** Throws `FileRefused` where the body is not the form that its content type says. */
function* formParts(
  body: Buffer,
  contentType: string,
): Generator<SentRecord & { readonly name: string }> {
  const boundary = parametersOf(contentType).get("boundary");
  if (!boundary) throw new FileRefused("the content type of the form names no boundary");
  const text = body.toString("latin1");
  let open:
    | { readonly name: string; readonly fileName: string | undefined; at: number }
    | undefined;
  for (const { 0: line, 1: closing, index } of text.matchAll(delimiterOf(boundary))) {
    if (open !== undefined) yield { ...open, bytes: body.subarray(open.at, index) };
    if (closing !== undefined) return;
    const headAt = index + line.length;
    const headEnd = text.indexOf(HEAD_END, headAt);
    if (headEnd < 0 || headEnd - headAt > HEAD_MAX) break;
    open = { ...namesOf(body.toString("utf8", headAt, headEnd)), at: headEnd + HEAD_END.length };
  }
  throw new FileRefused(
    open === undefined
      ? `the body has no line "--${boundary}" with the head of a part behind it; the lines of a form end in CR LF`
      : `the form is not complete: it ends inside the part "${open.name}", without "--${boundary}--"`,
  );
}

/** A line that ends a part, or with two more hyphens the form (RFC 2046, 5.1.1). */
function delimiterOf(boundary: string): RegExp {
  const quoted = boundary.replaceAll(/\W/g, String.raw`\$&`);
  return new RegExp(`(?:^|\r\n)--${quoted}(--)?[ \t]*(?=\r\n|$)`, "g");
}

/** The names in the head of a part. Some clients write a file's name a second time, as RFC 8187 does. */
function namesOf(head: string): { readonly name: string; readonly fileName: string | undefined } {
  const [, parameters] = DISPOSITION.exec(head.replaceAll(/\r\n[ \t]+/g, " ")) ?? [];
  const given = parametersOf(parameters ?? "");
  const name = given.get("name");
  if (name === undefined) throw new FileRefused("a part of the form has no name");
  const coded = /^utf-8'[^']*'(.*)$/i.exec(given.get("filename*") ?? "")?.[1];
  return { name, fileName: coded === undefined ? given.get("filename") : decoded(coded) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parametersOf(header: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(header.matchAll(PARAMETER), ([, name = "", quoted, token = ""]) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(["\\])/g, "$1") ?? token,
    ]),
  );
}
