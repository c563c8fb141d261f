import { expect, test } from "vitest";
import { checkFile } from "../../check/check-file.ts";
import { SAMPLES, sampleFile } from "../../web/browser/sample-files.ts";

test("each sample file leads to another answer", { timeout: 60_000 }, async () => {
  const [events, sentences]: [string[], string[]] = [[], []];
  for (const sample of SAMPLES) {
    const bytes = new Uint8Array(await sampleFile(sample).arrayBuffer());
    const { report } = await checkFile(bytes, { fileName: sample.name });
    events.push(report.verdict.event);
    sentences.push(report.verdict.sentence);
  }
  expect(events).toEqual([
    "Luck would rarely do this",
    "Luck does this often",
    "Too close to call",
  ]);
  // Of what "5 or fewer" are, tries or times, no reader is sure.
  expect(sentences.map((said) => said.includes("; 5 in 100 or fewer would speak against"))).toEqual(
    [false, false, true],
  );
});
