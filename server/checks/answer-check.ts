import { CheckReport } from "../../api/check-report.ts";
import { reportJson } from "../../api/report-json.ts";
import { checkRead } from "../../check/check-file.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { needsMarket } from "../../check/market.ts";
import type { CheckOrder, CheckReply } from "./check-task.ts";
import { failureReply } from "./failure-reply.ts";
import { endIfAlone, isRead } from "./sent-file.ts";
import { snapshotMarket } from "./snapshot-market.ts";

/** Variants times bars that are checked over HTTP: a few seconds of work. */
const CELLS_MAX = 400_000;

/** Cells of a table of columns, of which many are no variants. */
const TABLE_CELLS_MAX = 2_000_000;

/** All that the process of a check does: the arithmetic is in `quant`, the reading in `check`. */
export async function answerCheck(
  file: Uint8Array,
  { options, dir }: CheckOrder,
): Promise<CheckReply> {
  try {
    const read = await readExport(file, options, TABLE_CELLS_MAX);
    isRead();
    const { report } = await checkRead(read, options, {
      marketFor: async () => (needsMarket(read, options.coin) ? snapshotMarket(dir) : undefined),
      onProgress: endIfAlone,
      cellsMax: CELLS_MAX,
    });
    return { kind: "report", json: reportJson(CheckReport.of(report), false, 0) };
  } catch (error) {
    return failureReply(error);
  }
}
