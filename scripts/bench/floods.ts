/** What one caller can send again and again, as fast as it is answered or at a rate, by a process of its own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { drawToken } from "../../accounts/access-tokens.ts";
import { Load, type LoadOptions } from "./load.ts";
import { textOf, type Attack, type Called, type Sent } from "./worst-callers.ts";

const LASTS_MS = 8000;
/** Different requests of a flood that differ. */
const DIFFERENT = 8192;
const FIELDS = 600;
const PARTS = 8000;
const RANGES = 500;
const HEADER_BYTES = 14_000;
const BODY_BYTES = 240_000;

type Flood = (called: Called) => Sent | readonly Sent[];

const ofKey =
  (path: string, more: Partial<Sent> = {}): Flood =>
  ({ keys: [key] }) => ({ path, key, ...more });

function list(count: number, make: (at: number) => string, separator: string): string {
  return Array.from({ length: count }, (_, at) => make(at)).join(separator);
}

const posted = (type: string, body: string): Partial<Sent> => ({
  lines: [`Content-Type: ${type}`, `Content-Length: ${body.length}`],
  body,
});

const parts = list(
  PARTS,
  (at) => `--B\r\nContent-Disposition: form-data; name="p${at}"\r\n\r\n1\r\n`,
  "",
);

/** Forms that ask for a link, each for another address, from different networks. */
const signIns = (networkOf: (at: number) => string): Flood => {
  return () =>
    Array.from({ length: DIFFERENT }, (_, at) => {
      const form = `email=a${at}@example.com&once=${drawToken()}`;
      const { lines = [], body = "" } = posted("application/x-www-form-urlencoded", form);
      const from = [`X-Forwarded-For: ${networkOf(at)}`, "Sec-Fetch-Site: same-origin"];
      return { path: "/account/sign-in", lines: [...lines, ...from], body };
    });
};

const hex = (at: number) => at.toString(16);

export const FLOODS = {
  fields: flood(ofKey(`/v1/signals?fields=${list(FIELDS, (at) => `f${at}`, ",")}`), 300),
  signInsOfSite: flood(
    signIns((at) => `2001:db8:1:${hex((at % 256) * 256)}::1`),
    64,
    600,
  ),
  signInsOfMany: flood(
    signIns((at) => `2001:${hex(at)}::1`),
    64,
    1000,
  ),
  bodies: flood(
    ofKey("/v1/studies", posted("application/json", `{"a":"${"a".repeat(BODY_BYTES)}"}`)),
    100,
  ),
  headers: flood(ofKey("/v1/signals", { lines: [`Cookie: ${"a".repeat(HEADER_BYTES)}`] }), 300),
  forms: flood(
    ofKey("/v1/check", posted("multipart/form-data; boundary=B", `${parts}--B--\r\n`)),
    4,
  ),
  ranges: flood(
    () => ({
      path: "/",
      lines: [
        "Accept: text/html",
        `Range: bytes=${list(RANGES, (at) => `${2 * at}-${2 * at}`, ",")}`,
      ],
    }),
    300,
  ),
  history: flood(({ manifest, keys: [key] }) => {
    return { path: `/v1/history?coin=${manifest.coins[0]!.ticker}`, key }; // a snapshot has coins
  }, 600),
};

function flood(
  sentBy: Flood,
  connections: number,
  perSecond: LoadOptions["perSecond"] = null,
): Attack {
  return async (called) => {
    const requestsFile = join(called.folder, "flood.json");
    const texts = [sentBy(called)].flat().map((sent) => textOf(sent));
    writeFileSync(requestsFile, JSON.stringify(texts));
    const rate = { perSecond, sleeps: true };
    const load = new Load({
      port: called.port,
      requestsFile,
      connections,
      ...rate,
      reconnects: true,
    });
    await load.window();
    await sleep(LASTS_MS);
    await load.window();
    load.stop();
  };
}
