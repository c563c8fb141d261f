import type { CheckReport } from "../../api/check-report.ts";
import { cardSvg } from "../card.tsx";
import { liveTitle } from "./live-section.tsx";
import { verdictFigures } from "./verdict-text.ts";
import { worldsDrawing } from "./worlds-figure.tsx";

/** A verdict as a picture of 1,200 x 630. Live days come with their sentence, a backtest with the hundred worlds. */
export function verdictCard(report: CheckReport, isSynthetic: boolean, link: string): string {
  const { live, verdict } = report;
  const address = link.replace(/^https?:\/\//, "");
  if (live !== null)
    return cardSvg({ title: liveTitle(live), words: live.verdict.sentence, address, isSynthetic });
  const drawing = worldsDrawing(report, isSynthetic) ?? undefined;
  const words = verdictFigures(report);
  return cardSvg({ title: `${verdict.event}.`, words, drawing, address, isSynthetic });
}
