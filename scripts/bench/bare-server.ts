/**
 * The limit of the benchmark: the least that a server on this socket library can do. It sends recorded answers in turn
 * (status, header lines, body) and does not look at the request: no key, no quota, no routing, no parsing. Messages of
 * the process that starts it name the case whose answers it sends.
 *
 *   node dist/scripts/bench/bare-server.js ANSWERS.json
 *
 * The file is an object with a list of answers for each case: {"case": [RecordedAnswer, ...], ...}.
 */
import { readFileSync } from "node:fs";
// The only import of the socket library outside server/http, because the yardstick must not be our own adapter.
import uWS from "uWebSockets.js";
import type { RecordedAnswer } from "./recorded-answer.ts";
import { scriptArgument } from "../support/script-options.ts";

/** An answer prepared so that sending it takes three calls into the library. */
interface ReadyAnswer {
  readonly status: string;
  readonly headerName: string;
  /** The value of the first header followed by all other lines: one call costs less than one per header. */
  readonly headerText: string;
  readonly body: ArrayBuffer | undefined;
}

const answers = JSON.parse(readFileSync(scriptArgument(import.meta.url), "utf8")) as Record<
  string,
  RecordedAnswer[]
>;
const ready = new Map(Object.entries(answers).map(([name, list]) => [name, list.map(readyAnswer)]));

function readyAnswer({ status, headers, body }: RecordedAnswer): ReadyAnswer {
  const [first = "", ...others] = headers;
  const nameEnd = first.indexOf(": ");
  return {
    status,
    headerName: first.slice(0, nameEnd),
    headerText: [first.slice(nameEnd + 2), ...others].join("\r\n"),
    body: body === undefined ? undefined : bytesOf(body),
  };
}

/**
 * An ArrayBuffer is slightly the cheapest of the types that the library takes; a text would be encoded each
 * time.
 */
function bytesOf(body: string): ArrayBuffer {
  return new TextEncoder().encode(body).slice().buffer;
}

let current: readonly ReadyAnswer[] = [...ready.values()][0] ?? [];
let next = 0;

process.on("message", (name: string) => {
  const list = ready.get(name);
  if (list === undefined) throw new Error(`no answers of "${name}"`);
  current = list;
  next = 0;
  process.send?.(name);
});
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => process.exit(0));

// Sends no header of the library's own, as in server/http/listen.ts.
(Reflect.get(uWS, "_cfg") as (option: string) => void)("silent");
uWS
  .App()
  .any("/*", (res) => {
    const answer = current[next]!; // the list is not empty, and `next` stays below its length
    next = next + 1 === current.length ? 0 : next + 1;
    res.writeStatus(answer.status);
    res.writeHeader(answer.headerName, answer.headerText);
    if (answer.body === undefined) res.endWithoutBody();
    else res.end(answer.body);
  })
  .listen("127.0.0.1", 0, (socket) => {
    if (socket === false) throw new Error("cannot listen");
    console.log(`Serving on http://127.0.0.1:${uWS.us_socket_local_port(socket)}`);
  });
