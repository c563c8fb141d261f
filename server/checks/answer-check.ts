import { CheckReport } from "../../api/check-report.ts";
import { reportJson } from "../../api/report-json.ts";
import { checkRead } from "../../check/check-file.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { checkLiveOptions } from "../../check/live-options.ts";
import { needsMarket } from "../../check/market.ts";
import { readBoth } from "../../check/of-live.ts";
import type { CheckOrder, CheckReply } from "./check-task.ts";
import { failureReply } from "./failure-reply.ts";
import { recordsOfForm, type SentRecords } from "./form-parts.ts";
import { endIfAlone, isRead } from "./sent-file.ts";
import { snapshotMarket } from "./snapshot-market.ts";

/** The most variants times bars that are checked over HTTP, which is a few seconds of work. */
const CELLS_MAX = 400_000;

/** The most cells of a table of columns, many of which may be no variants. */
const TABLE_CELLS_MAX = 2_000_000;

/** Checks a file, in the process of that check. The arithmetic is in `quant`, the reading of files in `check`. */
export async function answerCheck(body: Buffer, order: CheckOrder): Promise<CheckReply> {
  const { options, dir, form } = order;
  try {
    const sent: SentRecords =
      form === undefined ? { backtest: { bytes: body } } : recordsOfForm(body, form);
    checkLiveOptions(options, sent.live !== undefined);
    const { fileName } = sent.backtest;
    const besideLive = { ...options.live, fileName: sent.live?.fileName, isLive: true };
    const [read, live] = await readBoth(
      () => readExport(sent.backtest.bytes, options, TABLE_CELLS_MAX),
      sent.live && (() => readExport(sent.live!.bytes, besideLive, TABLE_CELLS_MAX)),
    );
    isRead();
    const said = { ...options, ...(fileName === undefined ? {} : { fileName }), live: besideLive };
    const { report } = await checkRead(read, said, {
      live,
      marketFor: async (file) =>
        needsMarket(file, options.coin) ? snapshotMarket(dir) : undefined,
      onProgress: endIfAlone,
      cellsMax: CELLS_MAX,
    });
    return { kind: "report", json: reportJson(CheckReport.from(report), false, 0) };
  } catch (error) {
    return failureReply(error);
  }
}
