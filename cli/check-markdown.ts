import type { CheckReport } from "../api/check-report.ts";
import type { MoreNeeded } from "../check/formats/export.ts";
import { factsOf, FACTS_MAX } from "./check-short.ts";

/** The short answer for the summary of a CI run or a comment: the sentence and what it rests on. */
export function markdownOf(report: CheckReport, fileName: string): string {
  const { verdict, live } = report;
  const sentences = live === null ? [verdict.sentence] : [live.verdict.sentence, verdict.sentence];
  const rows = factsOf(report)
    .slice(0, FACTS_MAX)
    .map(([name, text]) => `| ${name} | ${escaped(text)} |`);
  return [
    `### ${escaped(fileName)}`,
    ...sentences.map(escaped),
    ["| | |", "| --- | --- |", ...rows].join("\n"),
  ].join("\n\n");
}

/** What a file's check has to know first. */
export function questionsMarkdown({ questions }: MoreNeeded, fileName: string): string {
  const items = questions.map(({ text }) => `- ${escaped(text)}`).join("\n");
  return [`### ${escaped(fileName)}`, "Not checked: more has to be said of the file.", items].join(
    "\n\n",
  );
}

/** Text of a file as it stands: no cell ends, and nothing is code, markup, a link or a mention. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[|`*_[\]\\~#!]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("@", "&#64;")
    .replaceAll("://", ":&#47;/");
}
