import type { VNode } from "preact";
import type { CheckReport, CheckClaims, CheckSeries } from "../../api/check-report.ts";
import { chance, decimal, share, signedPercent, significant } from "../format.ts";
import { Table } from "../table.tsx";
import { factTable, type Fact } from "./fact-table.tsx";

/** What can be claimed of the Sharpe ratio: as most packages compute it, and with dependence allowed for. */
export function claimsSection(report: CheckReport, series: CheckSeries): VNode {
  const tries = decimal(report.trials.n, 0);
  const claim = (name: string, pick: (claims: CheckClaims) => string) =>
    [name, pick(series.published), pick(series.adjusted)] as const;
  const rows = [
    ["Sharpe ratio, a year", decimal(series.sharpe, 3), decimal(series.sharpe, 3)] as const,
    claim("its standard error", (claims) => decimal(claims.standard_error, 3)),
    claim("PSR: 1 less the p-value of no edge, for one try", (claims) => chance(claims.psr)),
    claim(`the same after ${report.trials.n === 1 ? "1 try" : `${tries} tries`} (DSR)`, (claims) =>
      chance(claims.dsr),
    ),
    claim("days of record needed for 95 %", (claims) => decimal(claims.min_track_record_days, 0)),
    claim("Sharpe ratio after the haircut", (claims) => decimal(claims.haircut_sharpe, 3)),
  ];
  return (
    <section class="two">
      <div>
        <h2>What can be claimed</h2>
        <p>
          Published figures take the returns as independent. Adjusted ones allow for dependence:
          this record counts as if it were {decimal(series.dependence_ratio, 2)} times shorter.
        </p>
        <Table
          label="Claims, as published and adjusted for dependence"
          columns={[
            { name: "figure", isText: true, cell: ([name]) => name },
            { name: "published", cell: ([, published]) => published },
            { name: "adjusted", cell: ([, , adjusted]) => adjusted },
          ]}
          rows={rows}
        />
      </div>
      <div>
        <h2>The record</h2>
        {factTable("Figures of the record", recordFacts(series))}
      </div>
    </section>
  );
}

function recordFacts(series: CheckSeries): Fact[] {
  return [
    ["total return", signedPercent(series.total_return_pct)],
    ["deepest drawdown", signedPercent(series.max_drawdown_pct)],
    ["longest time under water", `${decimal(series.under_water_days, 0)} days`],
    ["worst month", signedPercent(series.worst_month_pct)],
    ["share of the profit from the best 1 % of bars", share(series.best_bars_share)],
    ["bars with a return", decimal(series.active_bars, 0)],
    ["bars with a loss", decimal(series.losing_bars, 0)],
    ["skew", significant(series.skew)],
    ["kurtosis (3 for a normal)", significant(series.kurtosis)],
    ["correlation with the bar before", significant(series.autocorrelation)],
  ];
}
