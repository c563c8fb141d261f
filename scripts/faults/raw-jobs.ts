import { setTimeout as sleep } from "node:timers/promises";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { rawRequest } from "../bench/raw-request.ts";
import type { RawConnection } from "../bench/raw-connection.ts";

/** What a poll says about a job that is over. */
export interface EndedJob {
  readonly waitedMs: number;
  readonly finishedMs: number;
}

const COINS = ["btc", "eth", "bnb", "sol"];
const END_LIMIT_MS = 300_000;

/** Goes through every template, variant and start, so that jobs near each other always differ. */
function bodyOf(index: number): string {
  return JSON.stringify({
    strategy: CATALOGUE[index % CATALOGUE.length]?.name,
    coin: COINS[index % COINS.length],
    start_date: `202${1 + (index % 3)}-0${1 + (index % 9)}-15`,
    variant: 1 + (index % 13),
  });
}

/** Submits the index-th job and returns the request that polls it. */
export async function submit(to: RawConnection, key: string, index: number): Promise<string> {
  const sent = rawRequest({ path: "/v1/backtests", key, body: bodyOf(index) });
  const { status, body } = await to.send(sent);
  const text = body.toString();
  if (status !== 200) throw new Error(`a submission was answered ${status}: ${text}`);
  const { data } = JSON.parse(text) as { data: { job_id: number } };
  const poll = rawRequest({ path: `/v1/backtests/${data.job_id}`, key });
  return poll.replace("\r\n\r\n", "\r\nAccept-Encoding: gzip\r\n\r\n"); // as nearly all clients do
}

/**
 * Polls a job until it is over. Answers are not decompressed: what precedes the result is a stored block of
 * the compressed answer and can be read as it is, and the client should cost less than the server it
 * measures.
 */
export async function ended(to: RawConnection, poll: string, everyMs: number): Promise<EndedJob> {
  const giveUpAt = performance.now() + END_LIMIT_MS;
  while (performance.now() < giveUpAt) {
    const { status, body } = await to.send(poll);
    if (status !== 200) throw new Error(`a poll was answered ${status}`);
    const text = body.toString("latin1", 0, 1000);
    if (text.includes('"status":"done"')) {
      const createdMs = instantOf(text, "created_at");
      const waitedMs = instantOf(text, "started_at") - createdMs;
      return { waitedMs, finishedMs: instantOf(text, "finished_at") };
    }
    if (text.includes('"status":"error"')) throw new Error(`a job failed: ${text}`);
    await sleep(everyMs);
  }
  throw new Error(`a job did not end within ${END_LIMIT_MS / 1000} s`);
}

function instantOf(text: string, member: string): number {
  return Date.parse(new RegExp(`"${member}":"([^"]+)"`).exec(text)?.[1] ?? "");
}
