import type { RequestForm } from "./operation.ts";
import { addressOf, headersOf, type RequestValues } from "./request-samples.ts";

/** The answer to a request. */
export interface Answer {
  /** Status code and reason, or why there is none. */
  readonly status: string;
  readonly isGood: boolean;
  readonly milliseconds: number;
  /** Header fields that say what was charged and what is left. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

const SHOWN_HEADERS = [
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "ETag",
  "X-Request-Id",
  "Content-Type",
];

/** Sends a request to the server that this page came from, under the path that the document names. */
export async function sendRequest(
  form: RequestForm,
  values: RequestValues,
  { key, file }: { readonly key: string; readonly file: File | undefined },
): Promise<Answer> {
  const { pathname, search } = new URL(addressOf(form, values));
  const { method, needsKey, body } = form;
  const authorization = needsKey ? { Authorization: `Bearer ${key.trim()}` } : {};
  const content = body?.isFile === true ? file : values.body;
  const started = performance.now();
  try {
    const response = await fetch(pathname + search, {
      method,
      headers: { ...headersOf(form, values), ...authorization },
      ...(body === undefined ? {} : { body: content ?? "" }),
      cache: "no-store",
      credentials: "omit",
    });
    const text = await response.text();
    return {
      status: `${response.status} ${response.statusText}`.trim(),
      isGood: response.ok,
      milliseconds: performance.now() - started,
      headers: SHOWN_HEADERS.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      }),
      text: formatted(text),
    };
  } catch {
    const status = "No answer: the server cannot be reached";
    return {
      status,
      isGood: false,
      milliseconds: performance.now() - started,
      headers: [],
      text: "",
    };
  }
}

/** JSON with line breaks; anything else as it came. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
