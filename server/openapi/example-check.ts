import { reportJson } from "../../check/report-json.ts";
import { buildPanel } from "../../quant/check/build-panel.ts";
import { checkPanel } from "../../quant/check/check-panel.ts";
import type { Observations } from "../../quant/check/panel.ts";
import { attributionOf } from "../routes/attribution.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";

const DAYS = 400;
const FIRST_SECOND = Date.parse("2024-01-01T00:00:00Z") / 1000;

/** The check of a made-up record: two waves of daily returns. */
export function exampleCheck(snapshot: SnapshotData): object {
  const days = Array.from({ length: DAYS }, (_, day) => day);
  const rows: Observations = {
    kind: "returns",
    instants: Float64Array.from(days, (day) => FIRST_SECOND + day * 86_400),
    lines: Int32Array.from(days, (day) => day + 2),
    names: ["curve"],
    columns: [
      Float64Array.from(days, (day) => 0.002 + 0.02 * Math.sin(day * 2.3) * Math.cos(day / 7)),
    ],
  };
  const source = { format: "returns", tool: "generic", kind: "returns" } as const;
  const report = checkPanel(buildPanel(rows), { source, nTrials: 20 });
  return { attribution: attributionOf(snapshot), ...(JSON.parse(reportJson(report)) as object) };
}
