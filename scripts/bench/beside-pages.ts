/** Reads while browsers load pages from the same server, against reads alone. */
import { measureLoad } from "./load.ts";
import type { Bench } from "./part.ts";
import type { ChildServer } from "../support/child-server.ts";
import { ratioSpread, type Spread } from "./spread.ts";

export const PAGES_PER_SECOND = 100;

/** Reads a second of CPU with pages beside them, as a share of those without. Round 0 warms up and has the pages made. */
export async function readsBesidePages(
  bench: Bench,
  server: ChildServer,
  load: { readonly requestsFile: string; readonly pages: readonly string[] },
): Promise<Spread> {
  const [alone, beside]: [number[], number[]] = [[], []];
  const headers = { "accept-encoding": "gzip" };
  for (let round = 0; round <= bench.rounds; round++) {
    bench.progress(`round ${round} of ${bench.rounds}: reads beside pages`);
    const without = await measureLoad(server, { ...bench, ...load });
    let [sent, failed] = [0, 0];
    const timer = setInterval(() => {
      const page = fetch(server.origin + load.pages[sent++ % load.pages.length], { headers });
      page.then((response) => response.arrayBuffer()).catch(() => failed++);
    }, 1000 / PAGES_PER_SECOND);
    const reads = await measureLoad(server, { ...bench, ...load });
    clearInterval(timer);
    if (failed > 0) throw new Error(`${failed} pages failed`);
    if (round === 0) continue;
    alone.push(without.cpuMicros);
    beside.push(reads.cpuMicros);
  }
  return ratioSpread(alone, beside);
}
