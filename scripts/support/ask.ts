export interface Sent {
  /** By default GET, or POST if there is a body. */
  readonly method?: string;
  readonly key?: string | undefined;
  /** A string is sent as it is, an object as JSON. */
  readonly body?: string | object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** The answer to a request. JSON is parsed only when it is read, because clients share the cores with the server. */
export class Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly text: string;

  constructor({ status, statusText, headers }: Response, text: string) {
    this.status = status;
    this.statusText = statusText;
    this.headers = headers;
    this.text = text;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
  get body(): any {
    return JSON.parse(this.text);
  }
}

/**
 * Sends a request. Rejects if no complete answer came because the connection was refused, broken or silent for too
 * long.
 */
export async function ask(url: string, sent: Sent = {}): Promise<Answer> {
  const { key, body, timeoutMs } = sent;
  const isText = typeof body === "string";
  const response = await fetch(url, {
    method: sent.method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && !isText && { "content-type": "application/json" }),
      ...sent.headers,
    },
    body: isText ? body : ((body && JSON.stringify(body)) ?? null),
    signal: timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs),
  });
  return new Answer(response, await response.text());
}
