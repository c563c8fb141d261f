import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { findCurrent } from "../../snapshots/folder.ts";
import type { ReadAhead } from "../../snapshots/read-ahead.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { CurrentSnapshot } from "./current-snapshot.ts";
import type { SnapshotMetrics } from "../metrics/snapshot-metrics.ts";
import { READ_ENDPOINTS } from "../routes/endpoints.ts";
import type { Service } from "../requests/service.ts";
import { SnapshotPages } from "../pages/snapshot-pages.ts";
import { SnapshotAnswers } from "../requests/snapshot-answers.ts";

export interface FollowOptions {
  /** The folder of published snapshots. */
  readonly root: string;
  /** The current snapshot, if it is being read already. */
  readonly readAhead?: ReadAhead | undefined;
  readonly service: Service;
  readonly withholdsPrices?: boolean | undefined;
  readonly log: Logger;
  readonly metrics: SnapshotMetrics;
  readonly monotonicMs: () => number;
}

/** Between two pieces of a snapshot that is opened while requests are answered from another. */
const REST_MS = 2;

/** Keeps a service on the published snapshot: the one in force at the start, and each one that follows. */
export function followSnapshots(options: FollowOptions): CurrentSnapshot {
  const { root, readAhead, service, withholdsPrices, log, metrics, monotonicMs } = options;
  return new CurrentSnapshot({
    root,
    find: findCurrent,
    async use(dir) {
      const isFirst = service.answers === undefined;
      const rest = isFirst ? undefined : () => sleep(REST_MS);
      const snapshot = await openSnapshot(dir, readAhead?.take(dir), rest);
      const { publicUrl } = service.parts;
      const data = { ...snapshot, publicUrl, withholdsPrices };
      const answers = new SnapshotAnswers(data, READ_ENDPOINTS);
      service.pages = new SnapshotPages(answers.snapshot, { withholdsPrices });
      service.answers = answers;
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
}
