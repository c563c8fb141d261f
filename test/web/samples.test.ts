import { expect, test } from "vitest";
import { checkFile } from "../../check/check-file.ts";
import { SAMPLES, sampleFile } from "../../web/browser/sample-files.ts";

test("each sample file leads to another answer", { timeout: 60_000 }, async () => {
  const events = [];
  for (const sample of SAMPLES) {
    const bytes = new Uint8Array(await sampleFile(sample).arrayBuffer());
    const { report } = await checkFile(bytes, { fileName: sample.name });
    events.push(report.verdict.event);
  }
  expect(events).toEqual([
    "Luck would rarely do this",
    "Luck does this often",
    "Too close to call",
  ]);
});
