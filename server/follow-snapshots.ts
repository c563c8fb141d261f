import type { Logger } from "pino";
import { findCurrent } from "../snapshots/folder.ts";
import type { ReadAhead } from "../snapshots/read-ahead.ts";
import { openSnapshot } from "../snapshots/reader.ts";
import { CurrentSnapshot } from "./current-snapshot.ts";
import type { SnapshotFacts, SnapshotMetrics } from "./metrics/snapshot-metrics.ts";
import { readParts, restAWhile } from "./answers/read-parts.ts";
import { READ_ENDPOINTS } from "./routes/endpoints.ts";
import type { Service } from "./service.ts";
import { SnapshotAnswers } from "./answers/snapshot-answers.ts";

export interface FollowOptions {
  /** Folder of published snapshots. */
  readonly root: string;
  /** Where somebody began to read the snapshot in force already. */
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

/** The first snapshot is made ready this long after it is in use. */
const READY_AFTER_MS = 500;

/** Keeps a service on the snapshot that is published: the one in force at first, and each that follows it. */
export function followSnapshots(options: FollowOptions): CurrentSnapshot<Opened> {
  const { root, readAhead, service, log, metrics, monotonicMs } = options;
  return new CurrentSnapshot({
    root,
    find: findCurrent,
    async open(dir): Promise<Opened> {
      // Any but the first is opened and made ready beside the one in use.
      const isFirst = service.answers === undefined;
      const rest = isFirst ? undefined : restAWhile;
      const snapshot = await openSnapshot(dir, readAhead?.take(dir), rest);
      const { publicUrl } = service;
      const answers = new SnapshotAnswers({ ...snapshot, publicUrl }, READ_ENDPOINTS);
      if (!isFirst) await makeReady(answers);
      return { answers, facts: snapshot.manifest };
    },
    monotonicMs,
    onSwitch({ answers, facts }) {
      // The first snapshot is wanted at once, and made ready behind the first requests.
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

/** In small pieces, with rests between them in which requests are answered. */
async function makeReady(answers: SnapshotAnswers): Promise<void> {
  await readParts(answers.snapshot);
  await answers.prepare();
}

function makeReadyLater(answers: SnapshotAnswers, log: Logger): void {
  const report = (error: unknown) => log.error({ err: error }, "an answer cannot be prepared");
  setTimeout(() => void makeReady(answers).catch(report), READY_AFTER_MS).unref();
}
