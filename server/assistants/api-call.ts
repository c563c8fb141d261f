/** What an answer of the API is made of, as far as tools read it. */
export interface ApiAnswer<Data = Record<string, unknown>> {
  readonly data?: Data;
  readonly meta?: { readonly stale?: boolean; readonly age_days?: number };
}

export interface ApiCall {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** JSON, or the bytes of a file. */
  readonly body?: object | string;
}

/** `Data` has what an answer without `fields` has. */
export type CallApi = <Data = Record<string, unknown>>(
  path: string,
  call?: ApiCall,
) => Promise<ApiAnswer<Data>>;

/** An error of the API, in its words. */
export class ApiRefused extends Error {
  override readonly name = "ApiRefused";
}

const PATIENCE_MS = 70_000; // a check may take a minute
const NO_KEY =
  "this server takes a key: put `Authorization: Bearer YOUR_KEY` into the settings of this connection, or HINDSIGHT_KEY into the environment of `hindsight mcp`; a key is at";

/**
 * Calls of the API at `base`, such as `http://127.0.0.1:8080`, with a caller's key. Keys, charges, limits and errors are
 * those of the API. `site` is where people find its pages.
 */
export function apiCalls(base: string, authorization: string, site = base): CallApi {
  return async <Data>(path: string, { query = {}, body }: ApiCall = {}) => {
    if (authorization === "") throw new ApiRefused(`${NO_KEY} ${site}/account`);
    const url = new URL(`/v1${path}`, base);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const isJson = typeof body === "object";
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization,
        accept: "application/json",
        ...(isJson && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as ApiAnswer<Data>;
    throw new ApiRefused(refusalWords(response, text));
  };
}

function refusalWords(response: Response, text: string): string {
  const seconds = response.headers.get("retry-after");
  const later = seconds === null ? "" : ` Ask again in ${seconds} s.`;
  try {
    const { error } = JSON.parse(text) as { error: { message: string; docs_url: string } };
    return `${error.message} (${error.docs_url})${later}`;
  } catch {
    return `the server answered ${response.status} without words of the API.${later}`; // a proxy's page
  }
}
