/** Requests a second of every kind of read, against the limit and against the alternative, in rounds. */
import { join } from "node:path";
import { readManifest } from "../../snapshots/read-manifest.ts";
import type { ChildServer } from "../support/child-server.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import type { Generator } from "./load.ts";
import { measureLoad, type MeasuredLoad } from "./measured-load.ts";
import { countText, spreadText, type Bench, type PartResult, target, type Target } from "./part.ts";
import { lineOf, readsOnRedis, redisTargetsOf, type ReadsOnRedis } from "./reads-on-redis.ts";
import { readCases, type ReadCase } from "./read-cases.ts";
import { PAGES_PER_SECOND, readsBesidePages } from "./beside-pages.ts";
import { recordAnswer, statusCodeOf, type RecordedAnswer } from "./recorded-answer.ts";
import { startAlternative, startBare, startOurs } from "./servers.ts";
import { ratioSpread, spreadOf, type Spread } from "./spread.ts";
import { makeState, type BenchState } from "./state-file.ts";
import { writeRequests } from "./raw-request.ts";

/** As many as connections, so that few charges of a turn share an account. */
export const READ_ACCOUNTS = 64;
/** Answers that the bare server repeats in turn, so that it sends as many bytes as the others. */
const RECORDED_MAX = 100;
/** The first request or two are answered before an allowance is used up. */
const TRIES_MAX = 3;

const SERVERS = ["ours", "bare", "alternative"] as const;
type ServerName = (typeof SERVERS)[number];
type Running = Readonly<Record<ServerName, ChildServer>>;

interface CaseMeasurements {
  readonly of: ReadCase;
  readonly loads: Record<ServerName, MeasuredLoad[]>;
}

export async function reads(bench: Bench): Promise<PartResult> {
  const dir = await currentSnapshot(bench.snapshots);
  const manifest = await readManifest(dir);
  const state = await makeState(bench.folder, READ_ACCOUNTS);
  const cases = readCases({ snapshotId: manifest.id, coins: manifest.coins, ...state });
  const running = await startAll(bench, { dir, state, cases });
  try {
    for (const each of cases) {
      await checkStatus(running.alternative, each, "the alternative");
      writeRequests(join(bench.folder, each.name), each.requests);
    }
    const measured = await inRounds(bench, running, cases);
    // The generators tell only a refusal from another answer, not one refusal from another.
    for (const each of cases) {
      await checkStatus(running.ours, each, "our server");
      await checkStatus(running.alternative, each, "the alternative");
    }
    const pages = [
      "/",
      "/index",
      "/dataset",
      ...manifest.coins.map(({ ticker }) => `/coins/${ticker}`),
    ];
    const requestsFile = join(bench.folder, "signals-coin");
    const besidePages = await readsBesidePages(bench, running.ours, { requestsFile, pages });
    const onRedis = await readsOnRedis(bench, state, cases[0]?.requests ?? []);
    return withOthers(resultOf(measured, bench), besidePages, onRedis);
  } finally {
    await Promise.all(SERVERS.map((name) => running[name].stop()));
  }
}

interface StartInput {
  readonly dir: string;
  readonly state: BenchState;
  readonly cases: readonly ReadCase[];
}

async function startAll(bench: Bench, { dir, state, cases }: StartInput): Promise<Running> {
  const ours = await startOurs(bench.snapshots, state);
  try {
    const answers: Record<string, RecordedAnswer[]> = {};
    for (const each of cases) {
      bench.progress(`recording answers: ${each.title}`);
      await checkStatus(ours, each, "our server");
      answers[each.name] = await recorded(ours, each);
    }
    const bare = await startBare(bench.folder, answers);
    try {
      return { ours, bare, alternative: await startAlternative(bench.folder, dir, state) };
    } catch (error) {
      await bare.stop();
      throw error;
    }
  } catch (error) {
    await ours.stop();
    throw error;
  }
}

async function recorded(server: ChildServer, each: ReadCase): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const request of each.requests.slice(0, RECORDED_MAX)) {
    const answer = await recordAnswer(server.port, request);
    if (statusCodeOf(answer) === each.status) answers.push(answer);
  }
  return answers;
}

/** Throws if a server does not answer a case as it should: something else would be measured. */
async function checkStatus(server: ChildServer, each: ReadCase, who: string): Promise<void> {
  const [request] = each.requests;
  if (request === undefined) throw new Error(`case ${each.name} has no request`);
  let answer = await recordAnswer(server.port, request);
  for (let tries = 1; tries < TRIES_MAX && statusCodeOf(answer) !== each.status; tries++) {
    answer = await recordAnswer(server.port, request);
  }
  if (statusCodeOf(answer) === each.status) return;
  throw new Error(`${who} answers ${request.path} with ${answer.status}: ${answer.body}`);
}

/**
 * Runs every case on every server, then again, so that whatever else the machine does affects all of them
 * alike. Round 0 warms up.
 */
async function inRounds(
  bench: Bench,
  running: Running,
  cases: readonly ReadCase[],
): Promise<CaseMeasurements[]> {
  const measured = cases.map((of): CaseMeasurements => {
    return { of, loads: { ours: [], bare: [], alternative: [] } };
  });
  for (let round = 0; round <= bench.rounds; round++) {
    for (const { of, loads } of measured) {
      bench.progress(`round ${round} of ${bench.rounds}: ${of.title}`);
      await running.bare.tell(of.name);
      const seconds = round === 0 ? 1 : bench.seconds;
      const turns = await oneRound({ ...bench, seconds }, running, { of, round });
      for (const name of round === 0 ? [] : SERVERS) loads[name].push(turns[name]);
    }
  }
  return measured;
}

/** Runs one case on each server. A different server goes first in each round. */
async function oneRound(
  bench: Bench,
  running: Running,
  { of, round }: { readonly of: ReadCase; readonly round: number },
): Promise<Record<ServerName, MeasuredLoad>> {
  const turns: Partial<Record<ServerName, MeasuredLoad>> = {};
  for (let turn = 0; turn < SERVERS.length; turn++) {
    const name = SERVERS[(turn + round) % SERVERS.length]!; // the index is always below the length
    const file = join(bench.folder, of.name);
    const load = await measureLoad(running[name], { ...bench, requestsFile: file });
    checkAnswers(of, load, name);
    turns[name] = load;
  }
  return turns as Record<ServerName, MeasuredLoad>; // each server had its turn
}

function checkAnswers(of: ReadCase, load: MeasuredLoad, name: string): void {
  const refusals = of.status >= 400 ? load.requests - load.status400 : load.status400;
  if (load.broken === 0 && refusals <= of.othersMax) return;
  throw new Error(
    `${of.title} on ${name}: ${load.broken} requests failed, ${refusals} had another status than ${of.status}`,
  );
}

function resultOf(measured: readonly CaseMeasurements[], { generator }: Bench): PartResult {
  const good = measured.find(({ of }) => of.name === "signals-coin");
  const figures = measured.map((each) => figuresOf(each, good));
  return {
    title: "Reads: requests a second, closed loop",
    columns: [
      "",
      "ours/s",
      "of bare",
      "of bare, by CPU",
      "times Fastify",
      "Fastify, by CPU",
      "CPU us",
      "against good",
      "by CPU",
    ],
    rows: figures.map((each) => [
      each.title,
      countText(each.ours_per_second.median),
      spreadText(each.of_bare),
      spreadText(each.of_bare_by_cpu),
      spreadText(each.times_alternative, 1),
      spreadText(each.times_alternative_by_cpu, 1),
      each.ours_cpu_us.median.toFixed(1),
      spreadText(each.of_good_requests),
      spreadText(each.of_good_by_cpu),
    ]),
    notes: [
      "of bare: our requests/s against a bare uWebSockets.js app that repeats our bytes; by CPU: its server CPU time a request against ours.",
      "times Fastify: against the service of scripts/bench/alternative. against good: our GET /signals?coin of the same round.",
      "One generator thread beside one server process: on two cores they share what else the machine does. Where a server used",
      "less than 0.9 of a core it waited for the generator, and its requests/s are too low: " +
        idleText(measured),
    ],
    targets: figures.flatMap((each) => targetsOf(each, generator)),
    figures: { cases: figures },
  };
}

function withOthers(result: PartResult, pages: Spread, onRedis: ReadsOnRedis): PartResult {
  const beside = `GET /signals?coin beside ${PAGES_PER_SECOND} pages a second`;
  return {
    ...result,
    notes: [
      ...result.notes,
      lineOf(onRedis),
      `${beside}: ${spreadText(pages)} of the reads a second of CPU alone.`,
    ],
    targets: [
      ...result.targets,
      ...redisTargetsOf(onRedis),
      target(`${beside}: of alone`, { atLeast: 0.9 }, pages.median),
    ],
    figures: { ...result.figures, on_redis: onRedis, beside_pages: pages },
  };
}

function figuresOf({ of, loads }: CaseMeasurements, good: CaseMeasurements | undefined) {
  const speed = (name: ServerName) => loads[name].map(({ perSecond }) => perSecond);
  const cpu = (name: ServerName) => loads[name].map(({ cpuMicros }) => cpuMicros);
  const ours = speed("ours");
  const goodSpeed = good?.loads.ours.map(({ perSecond }) => perSecond) ?? ours;
  const goodCpu = good?.loads.ours.map(({ cpuMicros }) => cpuMicros) ?? cpu("ours");
  return {
    name: of.name,
    title: of.title,
    ours_per_second: spreadOf(ours),
    bare_per_second: spreadOf(speed("bare")),
    alternative_per_second: spreadOf(speed("alternative")),
    of_bare: ratioSpread(ours, speed("bare")),
    of_bare_by_cpu: ratioSpread(cpu("bare"), cpu("ours")),
    times_alternative: ratioSpread(ours, speed("alternative")),
    times_alternative_by_cpu: ratioSpread(cpu("alternative"), cpu("ours")),
    of_good_requests: ratioSpread(ours, goodSpeed),
    of_good_by_cpu: ratioSpread(goodCpu, cpu("ours")),
    ours_cpu_us: spreadOf(cpu("ours")),
    bare_cpu_us: spreadOf(cpu("bare")),
    alternative_cpu_us: spreadOf(cpu("alternative")),
    cpu_share: Object.fromEntries(SERVERS.map((name) => [name, shareOf(loads[name])])),
  };
}

/**
 * Every read against Fastify, the commonest against bare; a refusal may cost twice an answer. By CPU where the
 * generator is slower than the servers.
 */
function targetsOf(each: ReturnType<typeof figuresOf>, generator: Generator): Target[] {
  const { name, title } = each;
  const [good, fastify, bare] =
    generator === "wrk"
      ? [each.of_good_requests, each.times_alternative, each.of_bare]
      : [each.of_good_by_cpu, each.times_alternative_by_cpu, each.of_bare_by_cpu];
  if (["unknown-key", "rate-used", "quota-used"].includes(name)) {
    return [target(`${title}: against good`, { atLeast: 0.5 }, good.median)];
  }
  if (name === "not-modified") return []; // an answer without a body, for which Fastify does little
  const times = target(`${title}: times Fastify`, { atLeast: 4 }, fastify.median);
  if (name !== "signals-coin" && name !== "buy-hold") return [times];
  return [target(`${title}: of bare`, { atLeast: 0.7 }, bare.median), times];
}

function shareOf(loads: readonly MeasuredLoad[]): Spread {
  return spreadOf(loads.map(({ cpuShare }) => cpuShare));
}

const BUSY_SHARE = 0.9;

function idleText(measured: readonly CaseMeasurements[]): string {
  const idle = measured.flatMap(({ of, loads }) =>
    SERVERS.filter((name) => shareOf(loads[name]).median < BUSY_SHARE).map(
      (name) => `${name} in ${of.name} (${shareOf(loads[name]).median.toFixed(2)})`,
    ),
  );
  return idle.length === 0 ? "none" : idle.join(", ");
}
