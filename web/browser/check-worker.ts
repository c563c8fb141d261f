/** Checks a file in a thread of the reader's browser, with the functions of the command. */
import { FileRefused } from "../../files/refused.ts";
import { CheckReport } from "../../api/check-report.ts";
import { checkRead } from "../../check/check-file.ts";
import { MoreNeeded, type Question } from "../../check/formats/export.ts";
import { FORMAT_NAMES, readExport } from "../../check/formats/read-export.ts";
import { readBoth } from "../../check/of-live.ts";
import { PanelRefused } from "../../quant/check/panel.ts";
import { cutMessage } from "../../quant/cut-message.ts";
import type { CheckNews, CheckOrder } from "./check-messages.ts";

addEventListener("message", ({ data }: MessageEvent<CheckOrder>) => {
  void answer(data).then(tell);
});

async function answer(order: CheckOrder): Promise<CheckNews> {
  const { bytes, options, coins, isSynthetic, live } = order;
  try {
    const [read, ofLive] = await readBoth(
      () => readExport(new Uint8Array(bytes), options),
      live && (() => readExport(new Uint8Array(live), { ...options.live, isLive: true })),
    );
    const checked = await checkRead(read, options, {
      marketFor: async (read) => {
        const { browserMarket } = await import("./browser-market.ts");
        return browserMarket(read, { coin: options.coin, coins, isSynthetic });
      },
      asksDoubts: true,
      live: ofLive,
      onProgress: (progress) => tell({ kind: "progress", progress }),
    });
    return { kind: "done", checked: { ...checked, report: CheckReport.from(checked.report) } };
  } catch (error) {
    return newsOf(error);
  }
}

function newsOf(error: unknown): CheckNews {
  const message = cutMessage(error instanceof Error ? error.message : String(error));
  if (error instanceof MoreNeeded) {
    const { questions, table, isLive } = error;
    return { kind: "asked", questions: questions.map(withFormats), table, isLive };
  }
  const isRefused = error instanceof FileRefused || error instanceof PanelRefused;
  return { kind: isRefused ? "refused" : "broken", message };
}

/** Adds the names of the formats, which the page does not load. */
function withFormats(asked: Question): Question {
  if (asked.option !== "format" || asked.choices.length > 0) return asked;
  return { ...asked, choices: FORMAT_NAMES.map((value) => ({ value, text: "" })) };
}

function tell(news: CheckNews): void {
  postMessage(news);
}
