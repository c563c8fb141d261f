import type { Logger } from "pino";
import { findCurrent } from "../../snapshots/folder.ts";
import type { ReadAhead } from "../../snapshots/read-ahead.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { CurrentSnapshot } from "./current-snapshot.ts";
import type { SnapshotFacts, SnapshotMetrics } from "../metrics/snapshot-metrics.ts";
import { restAWhile } from "../requests/between-pieces.ts";
import { READ_ENDPOINTS } from "../routes/endpoints.ts";
import type { Service } from "../requests/service.ts";
import { SnapshotAnswers } from "../requests/snapshot-answers.ts";

export interface FollowOptions {
  /** The folder of published snapshots. */
  readonly root: string;
  /** Set if somebody has already begun to read the current snapshot. */
  readonly readAhead?: ReadAhead | undefined;
  readonly service: Service;
  readonly log: Logger;
  readonly metrics: SnapshotMetrics | undefined;
  readonly monotonicMs: () => number;
}

interface Opened {
  readonly answers: SnapshotAnswers;
  readonly facts: SnapshotFacts;
}

/** How long the first snapshot is in use before its answers are prepared. */
const READY_AFTER_MS = 500;

/** Keeps a service on the published snapshot: the one in force at the start, and each one that follows. */
export function followSnapshots(options: FollowOptions): CurrentSnapshot<Opened> {
  const { root, readAhead, service, log, metrics, monotonicMs } = options;
  return new CurrentSnapshot({
    root,
    find: findCurrent,
    async open(dir): Promise<Opened> {
      // Any snapshot but the first is opened and prepared beside the one in use.
      const isFirst = service.answers === undefined;
      const rest = isFirst ? undefined : restAWhile;
      const snapshot = await openSnapshot(dir, readAhead?.take(dir), rest);
      const { publicUrl } = service;
      const answers = new SnapshotAnswers({ ...snapshot, publicUrl }, READ_ENDPOINTS);
      if (!isFirst) await answers.prepare();
      return { answers, facts: snapshot.manifest };
    },
    monotonicMs,
    onSwitch({ answers, facts }) {
      // The first snapshot is wanted at once, so it is prepared after the first requests.
      if (service.answers === undefined) makeReadyLater(answers, log);
      service.answers = answers;
      metrics?.switched(facts);
      log.info({ snapshot: answers.snapshot.id }, "serving a snapshot");
    },
    onDamaged(id, error) {
      metrics?.damaged();
      const reason = error instanceof Error ? error.message : String(error);
      const inUse = service.answers?.snapshot.id ?? null;
      log.error({ snapshot: id, reason, in_use: inUse }, "a snapshot cannot be used");
    },
  });
}

function makeReadyLater(answers: SnapshotAnswers, log: Logger): void {
  const report = (error: unknown) => log.error({ err: error }, "an answer cannot be prepared");
  setTimeout(() => void answers.prepare().catch(report), READY_AFTER_MS).unref();
}
