import type { MoreNeeded } from "../check/formats/export.ts";
import { checkRecords } from "../server/checks/answer-check.ts";
import { failureReply } from "../server/checks/failure-reply.ts";
import { answer, sentFile } from "../server/checks/sent-file.ts";
import { SnapshotError } from "../snapshots/snapshot-error.ts";
import type { FilesOrder, FilesReply } from "./check-aside.ts";
import { UsageError } from "./usage-error.ts";

/** Checks the files that `checkAside` sends to a process, and answers what it found. */
export async function checkSent(): Promise<void> {
  const { order, file } = sentFile();
  const { options, snapshots, backtestBytes, hasLive } = order as FilesOrder;
  const { fileName } = options.live ?? {};
  const records = {
    backtest: { bytes: file.subarray(0, backtestBytes), fileName: options.fileName },
    live: hasLive ? { bytes: file.subarray(backtestBytes), fileName } : undefined,
  };
  try {
    const checked = await checkRecords(records, options, {
      marketFor: async () => {
        const { openMarket } = await import("./check-market.ts");
        return await openMarket({ ...options, snapshots });
      },
    });
    answer({ kind: "checked", checked } satisfies FilesReply);
  } catch (error) {
    answer(refusedBySnapshot(error) ?? fileReply(error));
  }
}

/** What is wrong with a coin or the snapshots that were named, not with the file. */
function refusedBySnapshot(error: unknown): FilesReply | undefined {
  const isNamed = error instanceof UsageError || error instanceof SnapshotError;
  return isNamed ? { kind: "misused", message: error.message } : undefined;
}

/** Questions go with a preview of the columns that they are about. */
function fileReply(error: unknown): FilesReply {
  const reply = failureReply(error);
  return reply.kind === "more_needed" ? { ...reply, table: (error as MoreNeeded).table } : reply;
}
