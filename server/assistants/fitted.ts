import { ApiRefused, type ApiAnswer } from "./api-call.ts";

/** The longest answer of a tool: what an assistant reads is paid for by its user. */
export const ANSWER_BYTES = 8 * 1024;
/** Of the sentence, the note on the data, and what is left out. */
const WORDS_BYTES = 1536;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");

/**
 * The answer of a tool: a sentence, what has to be known of the data, and the members. Where they are too long, the largest
 * are left out, and the answer says which and how to ask for one of them.
 */
export function fitted(sentence: string, { data = {}, meta }: ApiAnswer<object>): string {
  const { attribution, ...members } = data as { attribution?: { synthetic?: boolean } };
  const notes = [
    attribution?.synthetic === true ? "The prices are made up." : "",
    meta?.stale === true ? `The prices end ${meta.age_days} days ago.` : "",
  ];
  const { kept, left } = withinBytes(members, ANSWER_BYTES - WORDS_BYTES);
  const rest =
    left.length === 0 ? "" : `Left out as too long: ${left.join(", ")}. Ask for one by "fields".`;
  return [sentence, ...notes, JSON.stringify(kept), rest].filter((part) => part !== "").join("\n");
}

/** Members without the largest, until they fit. A single one that is too long gives up members of its own. */
function withinBytes(members: Record<string, unknown>, most: number, path = "") {
  let kept = { ...members };
  const left: string[] = [];
  while (bytesOf(kept) > most) {
    const names = Object.keys(kept);
    const largest = names.toSorted((a, b) => bytesOf(kept[b]) - bytesOf(kept[a]))[0]!; // it is not empty
    const { [largest]: value, ...others } = kept;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const room = most - bytesOf(others) - largest.length - 4;
    if (isObject && room > most / 2) {
      const inner = withinBytes(value as Record<string, unknown>, room, `${path}${largest}.`);
      left.push(...inner.left);
      kept = { ...others, [largest]: inner.kept };
    } else {
      left.push(path + largest);
      kept = others;
    }
  }
  return { kept, left };
}

export const percentText = (value: number | null | undefined): string =>
  typeof value === "number" ? `${value.toFixed(1)} %` : "nothing that can be said";

/** How much of an answer is wanted. */
export interface Asked {
  readonly detail: "concise" | "full";
  readonly fields?: string | undefined;
}

/** The value of `fields` in a request; undefined for all. */
export function wanted({ detail, fields }: Asked, concise: string): string | undefined {
  return fields ?? (detail === "concise" ? concise : undefined);
}

/** The same of an answer that takes no `fields`. */
export function only(answer: ApiAnswer<object>, asked: Asked, concise: string): ApiAnswer<object> {
  const paths = wanted(asked, concise)?.split(",");
  if (paths === undefined) return answer;
  const all = (answer.data ?? {}) as Record<string, unknown>;
  const data: Record<string, unknown> = { attribution: all["attribution"] };
  for (const [name = "", inner] of paths.map((path) => path.trim().split("."))) {
    const value = all[name];
    if (value === undefined) throw new ApiRefused(`the answer has no member "${name}"`);
    const part = inner === undefined ? value : (value as Record<string, unknown> | null)?.[inner];
    data[name] = inner === undefined ? part : { ...(data[name] as object), [inner]: part };
  }
  return { ...answer, data };
}
