import type { CheckReport } from "../../api/check-report.ts";
import type { StudyResult } from "../../api/study.ts";
import type { JudgedSeries } from "../../check/check-file.ts";
import { cardSvg } from "../card.tsx";
import { templateWords } from "../format.ts";
import { liveDrawing } from "./live-figure.tsx";
import { liveTitle } from "./live-section.tsx";
import { verdictFigures } from "./verdict-text.ts";
import { worldsDrawing } from "./worlds-figure.tsx";

/** Whose prices a picture rests on, and the address that it names. */
interface CardOf {
  readonly isSynthetic: boolean;
  readonly link: string;
}

/**
 * A verdict as a picture of 1,200 x 630: a backtest with the hundred worlds, live days with the account and what became of
 * the money. `live` are those days.
 */
export function verdictCard(report: CheckReport, of: CardOf, live?: JudgedSeries): string {
  const { live: judged } = report;
  if (judged === null) return worldsCard(report, of);
  const [money = ""] = judged.verdict.sentence.replace(" -> ", " → ").split(/(?<=\.) /);
  const { isSynthetic } = of;
  const drawing = live && liveDrawing({ live: judged, series: live, isSynthetic }).drawing;
  return card({ title: liveTitle(judged), words: money, drawing }, of);
}

/** The verdict about a study, and what it was of. */
export function studyCard(
  { check, check_reason: reason, strategy, coin }: StudyResult,
  of: CardOf,
) {
  const subject = `${templateWords(strategy)} on ${coin.toUpperCase()}`;
  if (check === null) return card({ title: subject, words: reason ?? "" }, of);
  return worldsCard(check, of, `${subject} · `);
}

function worldsCard(report: CheckReport, of: CardOf, subject = ""): string {
  const drawing = worldsDrawing(report, of.isSynthetic) ?? undefined;
  const words = subject + verdictFigures(report);
  return card({ title: `${report.verdict.event}.`, words, drawing }, of);
}

function card(
  words: Pick<Parameters<typeof cardSvg>[0], "title" | "words" | "drawing">,
  of: CardOf,
) {
  const address = of.link.replace(/^https?:\/\//, "");
  return cardSvg({ ...words, address, isSynthetic: of.isSynthetic });
}
