/** Requests a second of every kind of read, against the limit and against the alternative, in rounds. */
import { join } from "node:path";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import type { ChildServer } from "../support/child-server.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { PAGES_PER_SECOND, readsBesidePages } from "./beside-pages.ts";
import { measureLoad, type MeasuredLoad } from "./load.ts";
import { countText, spreadText, type Bench, type PartResult, target, type Target } from "./part.ts";
import { writeRequests } from "./raw-request.ts";
import { readCases, type ReadCase } from "./read-cases.ts";
import { lineOf, readsOnRedis } from "./reads-on-redis.ts";
import { recordAnswer, statusCodeOf, type RecordedAnswer } from "./recorded-answer.ts";
import { startAlternative, startBare, startOurs } from "./servers.ts";
import { ratioSpread, spreadOf } from "./spread.ts";

/** As many as connections, so that few charges of a turn share an account. */
export const READ_ACCOUNTS = 64;
/** Answers that the bare server repeats in turn, so that it sends as many bytes as the others. */
const RECORDED_MAX = 100;
const SERVERS = ["ours", "bare", "alternative"] as const;
type ServerName = (typeof SERVERS)[number];

interface CaseMeasurements {
  readonly of: ReadCase;
  readonly loads: Record<ServerName, MeasuredLoad[]>;
}

export async function reads(bench: Bench): Promise<PartResult> {
  const dir = await currentSnapshot(bench.snapshots);
  const { id, coins } = await readManifest(dir);
  const store = storeIn(bench.folder);
  const loads = await makeAccounts(store, "load", READ_ACCOUNTS);
  const rate = await makeAccounts(store, "rate", 1);
  const quota = await makeAccounts(store, "quota", 1);
  const keys = loads.map(({ key }) => key);
  const limited = { rateKey: rate[0]!.key, quotaKey: quota[0]!.key };
  const cases = readCases({ snapshotId: id, coins, keys, ...limited });
  for (const each of cases) writeRequests(join(bench.folder, each.name), each.requests);
  const started: ChildServer[] = [];
  try {
    const ours = await startOurs(bench.snapshots, store);
    started.push(ours);
    const bare = await startBare(bench.folder, await recorded(bench, ours, cases));
    started.push(bare);
    const accounts = [...loads, ...rate, ...quota];
    const alternative = await startAlternative(bench.folder, dir, accounts);
    started.push(alternative);
    const measured = await inRounds(bench, { ours, bare, alternative }, cases);
    const coinPages = coins.map(({ ticker }) => `/coins/${ticker}`);
    const besidePages = await readsBesidePages(bench, ours, {
      requestsFile: join(bench.folder, "signals-coin"),
      pages: ["/", "/index", "/dataset", ...coinPages],
    });
    const onRedis = await readsOnRedis(bench, cases[0]?.requests ?? []);
    const result = resultOf(measured);
    const beside = `GET /signals?coin beside ${PAGES_PER_SECOND} pages a second`;
    return {
      ...result,
      notes: [
        ...result.notes,
        lineOf(onRedis),
        `${beside}: ${spreadText(besidePages)} of the reads a second of CPU alone.`,
      ],
      targets: [
        ...result.targets,
        target(`${beside}: of alone`, { atLeast: 0.9 }, besidePages.median),
      ],
      figures: { ...result.figures, on_redis: onRedis, beside_pages: besidePages },
    };
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
}

/** The first answers to each case, without those of an allowance that is not used up yet. */
async function recorded(bench: Bench, server: ChildServer, cases: readonly ReadCase[]) {
  const answers: Record<string, RecordedAnswer[]> = {};
  for (const { name, title, status, requests } of cases) {
    bench.progress(`recording answers: ${title}`);
    const all: RecordedAnswer[] = [];
    for (const request of requests.slice(0, RECORDED_MAX)) {
      all.push(await recordAnswer(server.port, request));
    }
    answers[name] = all.filter((answer) => statusCodeOf(answer) === status);
    if (answers[name].length === 0) throw new Error(`${title} is answered ${all[0]?.status}`);
  }
  return answers;
}

type Running = Readonly<Record<ServerName, ChildServer>>;

/** Runs every case on every server, then again, so that whatever else the machine does affects all of them alike. */
async function inRounds(
  bench: Bench,
  running: Running,
  cases: readonly ReadCase[],
): Promise<CaseMeasurements[]> {
  const measured = cases.map((of): CaseMeasurements => {
    return { of, loads: { ours: [], bare: [], alternative: [] } };
  });
  for (let round = 0; round <= bench.rounds; round++) {
    for (const each of measured) {
      bench.progress(`round ${round} of ${bench.rounds}: ${each.of.title}`);
      await running.bare.tell(each.of.name);
      await oneRound(bench, running, each, round);
    }
  }
  return measured;
}

/** Runs one case on each server. A different one goes first in each round; round 0 warms up. */
async function oneRound(
  bench: Bench,
  running: Running,
  { of, loads }: CaseMeasurements,
  round: number,
): Promise<void> {
  const { title, status, othersMax } = of;
  const requestsFile = join(bench.folder, of.name);
  for (let turn = 0; turn < SERVERS.length; turn++) {
    const name = SERVERS[(turn + round) % SERVERS.length]!; // the index is always below the length
    const load = await measureLoad(running[name], { ...bench, requestsFile, status });
    if (load.failed > othersMax)
      throw new Error(`${title} on ${name}: ${load.failed} requests were not answered ${status}`);
    if (round > 0) loads[name].push(load);
  }
}

function resultOf(measured: readonly CaseMeasurements[]): PartResult {
  const good = measured.find(({ of }) => of.name === "signals-coin");
  const figures = measured.map((each) => figuresOf(each, good));
  return {
    title: "Reads: requests a second, closed loop",
    columns: [
      "",
      "ours/s",
      "of bare",
      "of bare, by CPU",
      "times Fastify, by CPU",
      "CPU us",
      "of good, by CPU",
      "cores used",
    ],
    rows: figures.map((each) => [
      each.title,
      countText(each.ours_per_second.median),
      spreadText(each.of_bare),
      spreadText(each.of_bare_by_cpu),
      spreadText(each.times_alternative_by_cpu, 1),
      each.ours_cpu_us.median.toFixed(1),
      spreadText(each.of_good_by_cpu),
      SERVERS.map((name) => each.cores_used[name].median.toFixed(2)).join(" "),
    ]),
    notes: [
      "of bare: our requests/s against a bare uWebSockets.js app that repeats our bytes; by CPU: its server CPU time a request against ours.",
      "times Fastify: against the service of scripts/bench/alternative. of good: our GET /signals?coin of the same round.",
      "cores used, by ours, bare and Fastify: with less than 0.9 a server waited for the generator, and its requests/s are too low.",
    ],
    targets: figures.flatMap(targetsOf),
    figures: { cases: figures },
  };
}

function figuresOf({ of, loads }: CaseMeasurements, good: CaseMeasurements | undefined) {
  const speed = (name: ServerName) => loads[name].map(({ perSecond }) => perSecond);
  const cpu = (name: ServerName) => loads[name].map(({ cpuMicros }) => cpuMicros);
  const used = (name: ServerName) => spreadOf(loads[name].map(({ cpuShare }) => cpuShare));
  const goodCpu = good?.loads.ours.map(({ cpuMicros }) => cpuMicros) ?? cpu("ours");
  return {
    name: of.name,
    title: of.title,
    ours_per_second: spreadOf(speed("ours")),
    bare_per_second: spreadOf(speed("bare")),
    alternative_per_second: spreadOf(speed("alternative")),
    of_bare: ratioSpread(speed("ours"), speed("bare")),
    of_bare_by_cpu: ratioSpread(cpu("bare"), cpu("ours")),
    times_alternative_by_cpu: ratioSpread(cpu("alternative"), cpu("ours")),
    of_good_by_cpu: ratioSpread(goodCpu, cpu("ours")),
    ours_cpu_us: spreadOf(cpu("ours")),
    bare_cpu_us: spreadOf(cpu("bare")),
    alternative_cpu_us: spreadOf(cpu("alternative")),
    cores_used: {
      ours: used("ours"),
      bare: used("bare"),
      alternative: used("alternative"),
    },
  };
}

/** Every read against Fastify, the commonest against bare; a refusal may cost twice an answer. All by CPU. */
function targetsOf(each: ReturnType<typeof figuresOf>): Target[] {
  const { name, title } = each;
  if (["unknown-key", "rate-used", "quota-used"].includes(name)) {
    return [target(`${title}: of good`, { atLeast: 0.5 }, each.of_good_by_cpu.median)];
  }
  // An answer without a body, for which Fastify does little, and one that is arithmetic by the same code.
  if (name === "not-modified" || name === "overfitting") return [];
  const fastify = each.times_alternative_by_cpu.median;
  const times = target(`${title}: times Fastify`, { atLeast: 4 }, fastify);
  if (name !== "signals-coin" && name !== "buy-hold") return [times];
  return [target(`${title}: of bare`, { atLeast: 0.45 }, each.of_bare_by_cpu.median), times];
}
