/**
 * Loads a server with autocannon, for `load.ts` where `wrk` is not installed.
 *
 *   node dist/scripts/bench/autocannon-load.js '{LoadOptions}'
 *
 * Prints one line of JSON. `load.ts` starts it, and says what the options and the result are.
 */
import { createRequire } from "node:module";
import type { LoadOptions } from "./load.ts";
import { readRequests } from "./raw-request.ts";
import { scriptArgument } from "../support/script-options.ts";

/** The part of autocannon that is used here; it has no types of its own. */
type Autocannon = (options: {
  readonly url: string;
  readonly connections: number;
  readonly duration: number;
  /** Called once for each connection. */
  readonly setupClient: (client: { setRequests(requests: readonly object[]): void }) => void;
}) => Promise<{
  readonly requests: { readonly total: number };
  readonly duration: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly "4xx": number;
  readonly "5xx": number;
}>;

/** Of each connection: autocannon builds them all before it starts. */
const REQUESTS_MAX = 500;

const autocannon = createRequire(import.meta.url)("autocannon") as Autocannon;
const { origin, requestsFile, seconds, connections } = JSON.parse(
  scriptArgument(import.meta.url),
) as LoadOptions;

const requests = readRequests(requestsFile);
let clients = 0;

/** Requests come with the keys in turn, so a connection that sends every n-th one keeps to one key. */
function ownRequests(connection: number): readonly object[] {
  const own = requests.filter((_, index) => index % connections === connection % requests.length);
  return own.slice(0, REQUESTS_MAX).map(parsed);
}

const result = await autocannon({
  url: origin,
  connections,
  duration: seconds,
  setupClient: (client) => client.setRequests(ownRequests(clients++)),
});
console.log(
  JSON.stringify({
    requests: result.requests.total,
    micros: result.duration * 1e6,
    broken: result.errors + result.timeouts,
    status400: result["4xx"] + result["5xx"],
  }),
);

/** A request in autocannon's form. It adds the framing fields itself. */
function parsed(raw: Buffer): object {
  const [head = "", body = ""] = raw.toString("latin1").split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const [method, path] = line.split(" ");
  const headers = Object.fromEntries(
    fields
      .map((field) => field.split(": ", 2))
      .filter(([name]) => !/^(host|content-length)$/i.test(name ?? "")),
  ) as Record<string, string>;
  return { method, path, headers, ...(body === "" ? {} : { body }) };
}
