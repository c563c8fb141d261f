import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { findCurrent } from "../../snapshots/folder.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { SERVED_FILES, verifyFiles } from "../../snapshots/verified-files.ts";
import type { OperatorLinks } from "../../web/layout.tsx";
import { CurrentSnapshot } from "./current-snapshot.ts";
import type { SnapshotMetrics } from "../metrics/process-metrics.ts";
import { READ_ENDPOINTS } from "../routes/endpoints.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import type { Service } from "../requests/service.ts";
import type { ServerOptions } from "../server-options.ts";
import { DailyPages } from "../pages/daily-pages.ts";
import { pagesOfThread, SnapshotPages, subjectsOf } from "../pages/snapshot-pages.ts";
import { SnapshotAnswers } from "../requests/answer.ts";

export interface FollowOptions extends Pick<ServerOptions, "withholdsPrices" | "log"> {
  readonly root: string;
  readonly service: Service;
  readonly operator?: OperatorLinks | undefined;
  readonly metrics: SnapshotMetrics;
  readonly monotonicMs: () => number;
}

/** How long after a start the pages are made, unless one is requested: the first answers come before them. */
const PAGES_AFTER_MS = 500;
/** The most visited pages are made before a switch, unless that takes longer than this. */
const FIRST_PAGES = ["/", "/dataset"];
const FIRST_PAGES_MAX_MS = 2000;
/** The pause between two pieces of work on a new snapshot while requests are answered from the old one. */
const REST_MS = 2;
const PIECE_MS = 1;

/** Keeps a service on the published snapshot, the current one and each that follows. */
export function followSnapshots(options: FollowOptions): CurrentSnapshot {
  const { root, service, withholdsPrices = false, operator } = options;
  const { log, metrics, monotonicMs } = options;
  let pages: DailyPages | undefined;
  const current: CurrentSnapshot = new CurrentSnapshot({
    root,
    find: findCurrent,
    async use(dir) {
      const isFirst = service.answers === undefined;
      const rest = isFirst ? undefined : () => sleep(REST_MS);
      const files = await verifyFiles(dir, SERVED_FILES, rest);
      const snapshot = await openSnapshot(dir, Promise.resolve(files), rest);
      const { publicUrl } = service.parts;
      const data = { ...snapshot, publicUrl, withholdsPrices };
      const answers = new SnapshotAnswers(data, READ_ENDPOINTS);
      const subjects = subjectsOf(snapshot, withholdsPrices);
      const about = { dir, files, publicUrl, withholdsPrices, operator };
      const { asOf } = snapshot.manifest;
      const made = new DailyPages(asOf, service.parts.nowMs, (staleDays) =>
        pagesOfThread(subjects, { ...about, staleDays }),
      );
      const prepared = prepare(answers.snapshot);
      if (isFirst) setTimeout(() => made.start(), PAGES_AFTER_MS).unref();
      else await Promise.all([prepared, firstPages(made, log)]);
      service.pages = new SnapshotPages(subjects, made);
      service.answers = answers;
      void pages?.stop();
      pages = made;
      metrics.switched(snapshot.manifest);
      log.info({ snapshot: snapshot.id }, "serving a snapshot");
    },
    monotonicMs,
    onDamaged(id, reason) {
      metrics.damaged();
      const inUse = service.answers?.snapshot.id ?? null;
      log.error({ snapshot: id, reason, in_use: inUse }, "a snapshot cannot be used");
    },
  });
  metrics.isRefused = () => current.isRefused;
  return current;
}

async function firstPages(made: DailyPages, log: Logger): Promise<void> {
  const all = Promise.all(FIRST_PAGES.map((path) => made.body(path)));
  const failed = all.catch((error: unknown) =>
    log.error({ err: error }, "pages of a snapshot cannot be made"),
  );
  await Promise.race([failed, sleep(FIRST_PAGES_MAX_MS, undefined, { ref: false })]);
}

/** Makes ahead what would hold up the event loop if it were made at once, in pieces with pauses between them. */
async function prepare(snapshot: SnapshotData): Promise<void> {
  let begunMs = performance.now();
  for (const endpoint of READ_ENDPOINTS) {
    const pieces = endpoint.prepare?.(snapshot) ?? [];
    for (const _ of pieces) {
      if (performance.now() - begunMs < PIECE_MS) continue;
      await sleep(REST_MS, undefined, { ref: false });
      begunMs = performance.now();
    }
  }
}
