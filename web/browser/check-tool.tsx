import type { VNode } from "preact";
import type { LuckPoint } from "../charts/luck-chart.tsx";
import { FileCheck, type CheckPlace } from "./file-check.tsx";
import { LuckCalculator } from "./luck-calculator.tsx";

/** Both ways to ask whether a backtest is luck: by its file, or by three numbers. */
export function checkTool(
  place: CheckPlace,
  first?: LuckPoint,
  onPoint?: (point: LuckPoint) => void,
): VNode {
  return (
    <>
      <section aria-label="Check a file">
        <FileCheck {...place} />
      </section>
      <section>
        <h2>No file at hand? Three numbers will do</h2>
        <p>
          Count every setting you ever looked at, also those you threw away. The address of this
          page keeps your numbers, so you can send it.
        </p>
        <LuckCalculator first={first} onChange={onPoint} />
      </section>
    </>
  );
}
