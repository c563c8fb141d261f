import { CheckReport } from "../../api/check-report.ts";
import { reportJson } from "../../api/report-json.ts";
import { checkRead, type Checked, type CheckFileOptions } from "../../check/check-file.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { checkLiveOptions } from "../../check/live-options.ts";
import { needsMarket, type Market } from "../../check/market.ts";
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
    const { report } = await checkRecords(sent, options, {
      marketFor: () => snapshotMarket(dir),
      tableCellsMax: TABLE_CELLS_MAX,
      cellsMax: CELLS_MAX,
    });
    return { kind: "report", json: reportJson(CheckReport.from(report), false, 0) };
  } catch (error) {
    return failureReply(error);
  }
}

/** Where the check runs. There are no limits by default. */
interface Place {
  /** The market, if the file may need one. */
  readonly marketFor: () => Promise<Market | undefined>;
  /** The most cells of a table of columns, many of which may be no variants. */
  readonly tableCellsMax?: number;
  /** The most variants times bars. */
  readonly cellsMax?: number;
}

/** Reads and judges a backtest, and the live days beside it if there are any, in the process of that check. */
export async function checkRecords(
  { backtest, live }: SentRecords,
  options: CheckFileOptions,
  { marketFor, tableCellsMax, ...rest }: Place,
): Promise<Checked> {
  const besideLive = { ...options.live, fileName: live?.fileName, isLive: true };
  const [read, ofLive] = await readBoth(
    () => readExport(backtest.bytes, options, tableCellsMax),
    live && (() => readExport(live.bytes, besideLive, tableCellsMax)),
  );
  isRead();
  const { fileName = options.fileName } = backtest;
  return await checkRead(
    read,
    { ...options, fileName, live: besideLive },
    {
      ...rest,
      live: ofLive,
      onProgress: endIfAlone,
      marketFor: async (file) => (needsMarket(file, options.coin) ? await marketFor() : undefined),
    },
  );
}
