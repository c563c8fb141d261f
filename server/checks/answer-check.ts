import { CheckReport } from "../../api/check-report.ts";
import { reportJson } from "../../api/report-json.ts";
import { checkRead } from "../../check/check-file.ts";
import { FileRefused } from "../../check/formats/export.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { checkLiveOptions } from "../../check/live-options.ts";
import { needsMarket } from "../../check/market.ts";
import { ofLive } from "../../check/of-live.ts";
import type { CheckOrder, CheckReply } from "./check-task.ts";
import { failureReply } from "./failure-reply.ts";
import { endIfAlone, isRead } from "./sent-file.ts";
import { snapshotMarket } from "./snapshot-market.ts";

/** The most variants times bars that are checked over HTTP, which is a few seconds of work. */
const CELLS_MAX = 400_000;

/** The most cells of a table of columns, many of which may be no variants. */
const TABLE_CELLS_MAX = 2_000_000;

/** Checks a file, in the process of that check. The arithmetic is in `quant`, the reading of files in `check`. */
export async function answerCheck(body: Uint8Array, order: CheckOrder): Promise<CheckReply> {
  const { options, dir, form } = order;
  try {
    const sent = await sentRecords(body, form);
    checkLiveOptions(options, sent.live !== undefined);
    const { fileName } = sent.backtest;
    const read = await readExport(sent.backtest.bytes, options, TABLE_CELLS_MAX);
    const besideLive = { ...options.live, fileName: sent.live?.fileName };
    const live = await ofLive(
      async () => sent.live && readExport(sent.live.bytes, besideLive, TABLE_CELLS_MAX),
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
    return { kind: "report", json: reportJson(CheckReport.of(report), false, 0) };
  } catch (error) {
    return failureReply(error);
  }
}

interface SentRecord {
  readonly bytes: Uint8Array;
  readonly fileName?: string | undefined;
}

interface SentRecords {
  readonly backtest: SentRecord;
  readonly live?: SentRecord | undefined;
}

/** The files of a body: a single one, or a form with a backtest and its live record. */
async function sentRecords(body: Uint8Array, form: string | undefined): Promise<SentRecords> {
  if (form === undefined) return { backtest: { bytes: body } };
  const { formParts } = await import("../http/form-parts.ts"); // native code, which few checks need
  const parts = formParts(body, form);
  if (parts === undefined || parts.length === 0)
    throw new FileRefused('the body is no form with the parts "backtest" and "live"');
  const named = (name: string) => {
    const [part, ...others] = parts.filter((each) => each.name === name);
    if (others.length > 0) throw new FileRefused(`the form has the part "${name}" twice`);
    return part && { bytes: part.data, fileName: part.fileName };
  };
  const other = parts.find(({ name }) => name !== "backtest" && name !== "live");
  if (other !== undefined)
    throw new FileRefused(`the form may have the parts "backtest" and "live", got "${other.name}"`);
  const backtest = named("backtest");
  if (backtest === undefined) throw new FileRefused('the form has no part "backtest"');
  return { backtest, live: named("live") };
}
