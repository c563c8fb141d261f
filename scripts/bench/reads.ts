/** Requests a second of every kind of read, against the limit and against Fastify, in rounds. */
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import type { ChildServer } from "../support/child-server.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { progressLine } from "../../cli/progress-line.ts";
import { measureLoad, writeRequests, type MeasuredLoad } from "./load.ts";
import {
  inRounds,
  ratioSpread,
  spreadOf,
  spreadText,
  target,
  type Bench,
  type PartResult,
  type Spread,
} from "./part.ts";
import { readCases, type ReadCase } from "./read-cases.ts";
import { readsOnRedis } from "./reads-on-redis.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";
import { READ_ACCOUNTS, recorded, startFastify, startBare, startOurs } from "./servers.ts";

const SERVERS = ["ours", "bare", "fastify"] as const;
type ByServer<T> = Readonly<Record<(typeof SERVERS)[number], T>>;

const PAGES_PER_SECOND = 100;

/** A server ends connections beyond 200 refusals of an account in a second. */
const RATE_ACCOUNTS = 500;

/** A case with what was measured in each round. */
interface Measured {
  readonly readCase: ReadCase;
  readonly requestsFile: string;
  readonly loads: ByServer<MeasuredLoad[]>;
}

export async function reads(bench: Bench): Promise<PartResult> {
  const dir = await currentSnapshot(bench.snapshots);
  const { id, coins } = await readManifest(dir);
  const store = storeIn(bench.folder);
  const loads = await makeAccounts(store, "load", READ_ACCOUNTS);
  const rates = await makeAccounts(store, "rate", RATE_ACCOUNTS);
  const [quota] = await makeAccounts(store, "quota", 1);
  const keys = loads.map(({ key }) => key);
  const limited = { rateKeys: rates.map(({ key }) => key), quotaKey: quota!.key };
  const measured = readCases({ snapshotId: id, coins, keys, ...limited }).map(
    (readCase): Measured => {
      const requestsFile = writeRequests(bench.folder, readCase.name, readCase.requests);
      return { readCase, requestsFile, loads: { ours: [], bare: [], fastify: [] } };
    },
  );
  const ours = await startOurs(bench.snapshots, store);
  const bare = await startBare(bench.folder, await answersOf(ours, measured));
  const fastify = await startFastify(bench.folder, dir, [...loads, ...rates, quota!]);
  await measureCases(bench, { ours, bare, fastify }, measured);
  const good = measured[0]!; // GET /signals?coin
  const coinPages = coins.map(({ ticker }) => `/coins/${ticker}`);
  const pages = ["/", "/index", "/dataset", ...coinPages];
  const besidePages = await readsBesidePages(bench, ours, good.requestsFile, pages);
  const rows = measured.map((each) => rowOf(each, good));
  const beside = `GET /signals?coin beside ${PAGES_PER_SECOND} pages a second`;
  return {
    title: "Reads: requests a second, closed loop",
    rows,
    notes: [
      "of bare: our requests/s against a bare uWebSockets.js app that repeats our bytes; by CPU: its server CPU time a request against ours.",
      "times Fastify: against the service of scripts/bench/fastify-twin.ts. of good: our GET /signals?coin of the same round.",
      "cores used, by ours, bare and Fastify: with less than 0.9 a server waited for the generator, and its requests/s are too low.",
      await readsOnRedis(bench, good.readCase.requests),
      `${beside}: ${spreadText(besidePages)} of the reads a second of CPU alone.`,
    ],
    targets: [
      ...measured.flatMap(({ readCase }, at) => targetsOf(readCase.name, rows[at]!)),
      target(`${beside}: of alone`, { atLeast: 0.9 }, besidePages.median),
    ],
  };
}

/** The first answers to each case, without those of an allowance that is not used up yet. */
async function answersOf(server: ChildServer, measured: readonly Measured[]) {
  const answers: Record<string, RecordedAnswer[]> = {};
  for (const { readCase } of measured) {
    progressLine(`recording answers: ${readCase.title}`);
    const all = await recorded(server, readCase.requests);
    const good = all.filter(({ status }) => status.startsWith(String(readCase.status)));
    if (good.length === 0) throw new Error(`${readCase.title} is answered ${all[0]?.status}`);
    answers[readCase.name] = good;
  }
  return answers;
}

/**
 * Runs every case on every server, then again, so that whatever else the machine does affects all of them alike. A
 * different server goes first in each round. The first round warms up and does not count.
 */
async function measureCases(
  bench: Bench,
  servers: ByServer<ChildServer>,
  measured: readonly Measured[],
): Promise<void> {
  await inRounds({ ...bench, rounds: bench.rounds + 1 }, "reads", async (round) => {
    for (const { readCase, requestsFile, loads } of measured) {
      await servers.bare.tell(readCase.name);
      for (let turn = 0; turn < SERVERS.length; turn++) {
        const name = SERVERS[(turn + round) % SERVERS.length]!; // below the length
        const load = await measureLoad(servers[name], { ...bench, ...readCase, requestsFile });
        if (load.failed > readCase.othersMax)
          throw new Error(
            `${readCase.title} on ${name}: ${load.failed} requests were not answered ${readCase.status}`,
          );
        if (round > 1) loads[name].push(load);
      }
    }
  });
}

/** Reads a second of CPU while browsers load pages from the same server, as a share of those without. */
async function readsBesidePages(
  bench: Bench,
  server: ChildServer,
  requestsFile: string,
  pages: readonly string[],
): Promise<Spread> {
  const headers = { "accept-encoding": "gzip" };
  const measure = async () => {
    const alone = await measureLoad(server, { ...bench, requestsFile });
    let [sent, failed] = [0, 0];
    const timer = setInterval(() => {
      const page = fetch(server.origin + pages[sent++ % pages.length], { headers });
      page.then((response) => response.arrayBuffer()).catch(() => failed++);
    }, 1000 / PAGES_PER_SECOND);
    const beside = await measureLoad(server, { ...bench, requestsFile });
    clearInterval(timer);
    if (failed > 0) throw new Error(`${failed} pages failed`);
    return { alone: alone.cpuMicros, beside: beside.cpuMicros };
  };
  await measure(); // the pages are made
  const rounds = await inRounds(bench, "reads beside pages", measure);
  return ratioSpread(
    rounds.map(({ alone }) => alone),
    rounds.map(({ beside }) => beside),
  );
}

function rowOf({ readCase, loads }: Measured, good: Measured) {
  const speed = (name: keyof typeof loads) => loads[name].map(({ perSecond }) => perSecond);
  const cpu = (name: keyof typeof loads) => loads[name].map(({ cpuMicros }) => cpuMicros);
  const used = SERVERS.map((name) => spreadOf(loads[name].map(({ cpuShare }) => cpuShare)).median);
  return {
    "": readCase.title,
    "ours/s": spreadOf(speed("ours")).median,
    "of bare": ratioSpread(speed("ours"), speed("bare")),
    "of bare, by CPU": ratioSpread(cpu("bare"), cpu("ours")),
    "times Fastify, by CPU": ratioSpread(cpu("fastify"), cpu("ours")),
    "CPU us": spreadOf(cpu("ours")).median,
    "of good, by CPU": ratioSpread(
      good.loads.ours.map(({ cpuMicros }) => cpuMicros),
      cpu("ours"),
    ),
    "cores used": used.map((share) => share.toFixed(2)).join(" "),
  };
}

/** Every read against Fastify, the commonest against bare. A refusal may cost as much as two answers. All by CPU. */
function targetsOf(name: string, row: ReturnType<typeof rowOf>) {
  const title = row[""];
  if (["unknown-key", "rate-used", "quota-used"].includes(name))
    return [target(`${title}: of good`, { atLeast: 0.5 }, row["of good, by CPU"].median)];
  // An answer without a body, for which Fastify does little, and one that is arithmetic by the same code.
  if (name === "not-modified" || name === "overfitting") return [];
  const fastify = row["times Fastify, by CPU"].median;
  const times = target(`${title}: times Fastify`, { atLeast: 4 }, fastify);
  if (name !== "signals-coin" && name !== "buy-hold") return [times];
  return [target(`${title}: of bare`, { atLeast: 0.45 }, row["of bare, by CPU"].median), times];
}
