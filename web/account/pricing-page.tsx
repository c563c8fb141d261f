import type { VNode } from "preact";
import { decimal } from "../format.ts";
import { Page, type PageSource } from "../layout.tsx";
import { Table } from "../table.tsx";

/** A plan as the price list shows it. */
export interface ListedPlan {
  readonly name: string;
  readonly priceUsd: number | null;
  readonly callsPerMonth: number;
  readonly ratePerMinute: number;
  readonly backtestUnits: number | null;
  readonly checkUnits: number;
}

interface PricingProps {
  readonly about: PageSource;
  readonly plans: readonly ListedPlan[];
  readonly trialDays: number;
}

/** `/pricing`: the plans in force, before anybody signs in. */
export function PricingPage({ about, plans, trialDays }: PricingProps): VNode {
  const price = ({ priceUsd }: ListedPlan) =>
    priceUsd === null ? "free" : `$${decimal(priceUsd, Number.isInteger(priceUsd) ? 0 : 2)}`;
  return (
    <Page title="Plans" description="What a key costs." path="/pricing" about={about}>
      <h1>Plans</h1>
      <p class="lead">
        The pages are free, and a file is checked in your browser for nothing. A key is for
        programs: each account begins with the trial and goes on with the free plan.
      </p>
      <Table
        label="Plans"
        rows={plans}
        columns={[
          {
            name: "plan",
            isText: true,
            cell: ({ name }) => (name === "trial" ? `trial, ${trialDays} days` : name),
          },
          { name: "a month", cell: price },
          { name: "calls", cell: ({ callsPerMonth }) => decimal(callsPerMonth, 0) },
          { name: "a minute", cell: ({ ratePerMinute }) => decimal(ratePerMinute, 0) },
          {
            name: "calls for a backtest",
            isExtra: true,
            cell: ({ backtestUnits: units }) => (units === null ? "none" : decimal(units, 0)),
          },
          { name: "for a check", isExtra: true, cell: ({ checkUnits }) => decimal(checkUnits, 0) },
        ]}
      />
      <p>
        <a class="button" href="/account">
          Get a key
        </a>
      </p>
      <p>
        <a href="/docs/api/limits-and-charges">What counts as a call</a>
      </p>
    </Page>
  );
}
