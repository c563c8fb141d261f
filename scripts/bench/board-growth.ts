/** Reads of single coins on a board of 50 and of 5,000, both with the same short histories. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readManifest } from "../../snapshots/read-manifest.ts";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { GROWTH_COLUMNS, growthRow, growthTarget, measureGrowth, residentMib } from "./growth.ts";
import { countText, type Bench, type PartResult } from "./part.ts";
import { writePriceFolder } from "./price-folder.ts";
import { readCases } from "./read-cases.ts";
import { READ_ACCOUNTS } from "./reads.ts";
import { startOurs } from "./servers.ts";
import { makeState } from "./state-file.ts";
import { writeRequests } from "./raw-request.ts";

const SMALL = 50;
const LARGE = 5_000;
const LARGE_QUICK = 500;
/** Enough for every indicator to have a value, and few enough to publish 5,000 coins in reasonable time. */
const DAYS = 210;
const CASES = ["signals-coin", "buy-hold", "dca"];

export async function boardGrowth(bench: Bench): Promise<PartResult> {
  const coins = bench.quick ? LARGE_QUICK : LARGE;
  const state = await makeState(bench.folder, READ_ACCOUNTS);
  const small = await published(bench, SMALL);
  const large = await published(bench, coins);
  const [onSmall, onLarge] = [
    await startOurs(small.snapshots, state),
    await startOurs(large.snapshots, state),
  ];
  try {
    const casesOf = async ({ snapshots }: Published) => {
      const manifest = await readManifest(await currentSnapshot(snapshots));
      return readCases({ snapshotId: manifest.id, coins: manifest.coins, ...state });
    };
    const [smallCases, largeCases] = [await casesOf(small), await casesOf(large)];
    const pairs = CASES.map((name) => {
      const fileOf = (cases: typeof smallCases, side: string) => {
        const found = cases.find((each) => each.name === name);
        return writeRequests(join(bench.folder, `${name}-${side}`), found?.requests ?? []);
      };
      return {
        name: smallCases.find((each) => each.name === name)?.title ?? name,
        small: { server: onSmall, requestsFile: fileOf(smallCases, "small") },
        large: { server: onLarge, requestsFile: fileOf(largeCases, "large") },
      };
    });
    const figures = await measureGrowth(bench, pairs);
    const memory = { small: residentMib(onSmall), large: residentMib(onLarge) };
    return {
      title: `Growth of the board: ${SMALL} and ${countText(coins)} coins of ${DAYS} days`,
      columns: GROWTH_COLUMNS,
      rows: figures.map(growthRow),
      notes: [
        `Random coins of the whole board. Published in ${small.seconds.toFixed(0)} and ${large.seconds.toFixed(0)} s; ` +
          `resident memory after the loads: ${memory.small} and ${memory.large} MiB.`,
      ],
      targets: figures.map(growthTarget),
      figures: { coins, pairs: figures, resident_mib: memory },
    };
  } finally {
    await Promise.all([onSmall.stop(), onLarge.stop()]);
  }
}

interface Published {
  readonly snapshots: string;
  readonly seconds: number;
}

/**
 * A snapshot of made-up coins with short histories. They are too short for a dataset or an index, and no read
 * needs those.
 */
async function published(bench: Bench, coins: number): Promise<Published> {
  bench.progress(`publishing ${countText(coins)} coins`);
  const folder = join(bench.folder, `board-${coins}`);
  mkdirSync(folder);
  const { source, board } = writePriceFolder(folder, coins, DAYS);
  const snapshots = join(folder, "snapshots");
  const startedMs = performance.now();
  const options = [
    "--source",
    source,
    "--board",
    board,
    "--out",
    snapshots,
    "--index-draws",
    "0",
    "--robustness-draws",
    "0",
  ];
  await runScript(HINDSIGHT, ["pipeline", ...options]);
  return { snapshots, seconds: (performance.now() - startedMs) / 1000 };
}
