import type { VNode } from "preact";
import type { CheckLive } from "../../api/check-live.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { Figure } from "../charts/chart.tsx";
import { howLongChart } from "../charts/live-chart.tsx";
import { count, decimal, signedPercent } from "../format.ts";
import { Tiles } from "../table.tsx";
import { factTable, type Fact } from "./fact-table.tsx";
import { liveFigure, reachedOn, type LiveProps } from "./live-figure.tsx";
import { SAID, TITLE } from "./verdict.tsx";
import { asSentence } from "./words.ts";

const TITLES: Readonly<Record<CheckLive["verdict"]["value"], string>> = {
  withheld: "No verdict.",
  too_early: "Too early.",
  stop_loses: "Stop: it loses live.",
  stop_contradicted: "Stop: live contradicts the backtest.",
  decayed: "It looks as if the edge had gone.",
  below: "Worse than promised, not yet proof.",
  holds: "It holds.",
  no_claim: "There is no claim to hold it to.",
  open: "Too early to tell.",
};
const YEAR = 365;

/** Whether it is still what the backtest promised: the verdict, the picture, and how long until one can know. */
export function liveSection(props: LiveProps): VNode {
  const { live, selected, isSynthetic } = props;
  const { verdict, claim } = live;
  const tries = claim.n_trials.value;
  const chosen = tries === 1 ? "the only one" : `one of ${decimal(tries, 0)}`;
  const isBad = verdict.value.startsWith("stop") || ["decayed", "below"].includes(verdict.value);
  return (
    <>
      <section class="two live" aria-label="Live">
        <div>
          <h2
            {...TITLE}
            tabIndex={-1}
            class={verdict.value === "holds" ? "good" : isBad ? "bad" : ""}
          >
            {liveTitle(live)}
          </h2>
          <p id={SAID} class="said">
            {saidOf(live)}
          </p>
          <p class="hint">
            Judged: {selected ?? "the strategy"}, {chosen}; live since {live.first},{" "}
            {decimal(live.days, 0)} days
          </p>
          {verdict.cautions.map(({ code, message }) => (
            <p key={code} class="warn" role="note">
              {asSentence(message)}
            </p>
          ))}
        </div>
        {liveFigure(props)}
      </section>
      {verdict.value !== "withheld" && howLong(live, isSynthetic)}
      <section aria-label="The live figures">
        <Tiles figures={tilesOf(live)} />
        <details>
          <summary>All live figures</summary>
          {factTable("The live record in figures", factsOf(live))}
        </details>
        <details>
          <summary>What this can’t tell, and what voids it</summary>
          <ul>
            <li>Why: costs, fills, a changed market and a bug look alike.</li>
            <li>An edge that is half of the claim is hardly ever found out.</li>
            <li>Losses that are rarer than either record can show.</li>
            <li>Money paid in looks like a return.</li>
            <li>
              Starting over after a stop, choosing the first live day afterwards, or sending a
              record that was changed voids the error rates. They are for one strategy.
            </li>
          </ul>
        </details>
      </section>
    </>
  );
}

const NAMES =
  /\. (?:Worse than promised, not yet proof|Too early to tell|Stop|Too early to judge the edge|No verdict|It holds|There is no claim to hold it to): (.)/;

/** The sentence without the words that the title has: the money, then the edge. */
function saidOf({ verdict }: CheckLive): string {
  const text = verdict.sentence.replace(NAMES, (_, first: string) => `. ${first.toUpperCase()}`);
  return text.replace(" -> ", " → ");
}

function howLong(live: CheckLive, isSynthetic: boolean): VNode {
  const { stop } = live.how_long;
  const reached = reachedOn(live);
  const took = reached === null ? undefined : dayOfDate(reached)! - dayOfDate(live.first)! + 1;
  const median = stop?.none.median_days ?? null;
  const words = {
    title: "How long until one can know",
    subtitle:
      "From the first live day; stopped: a strategy without any edge has reached the stop line",
    description: `${live.days} days are lived; half are stopped ${median === null ? "never" : `by day ${median}`}.`,
    isSynthetic,
  };
  const bar = { day: took ?? live.days, median, isStop: took !== undefined };
  const [title, text] = howLongWords(live, took);
  return (
    <section class="two" aria-label="How long">
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      {stop !== null && <Figure drawing={howLongChart(bar, words)} />}
    </section>
  );
}

const timeWords = (days: number | null) => {
  if (days === null) return "more than a hundred years";
  return days < 2 * YEAR ? `${decimal(days, 0)} days` : `${decimal(days / YEAR, 1)} years`;
};
const ofHundred = (share: number) =>
  share < 0.005 ? "fewer than 1 of 100" : `${Math.round(100 * share)} of 100`;

function howLongWords(
  { how_long: long, claim }: CheckLive,
  took: number | undefined,
): readonly [string, string] {
  const none = long.stop?.none;
  if (took !== undefined) {
    const usual =
      none === undefined || none.median_days === null
        ? ""
        : `Half of the strategies without an edge take ${timeWords(none.median_days)} with this claim. `;
    return [
      `It took ${decimal(took, 0)} days to know`,
      `${usual}It speaks of the edge alone, never of your money.`,
    ];
  }
  if (none === undefined) {
    return [
      "Only live days can show an edge",
      `With a true Sharpe ratio of 2 that takes about ${timeWords(long.holds_days.two)}, with 3 about ${timeWords(long.holds_days.three)}.`,
    ];
  }
  const holds = `That it holds could show after about ${timeWords(long.holds_days.claim)}, if the edge is as large as claimed.`;
  if (none.median_days === null) {
    return [
      "Waiting will hardly settle this",
      `Without any edge, ${ofHundred(none.share_3y)} would be stopped within 3 years: the backtest is too short, or the tries were too many, to be held to much. ${holds} A longer backtest, or fewer tries, would make the claim of ${decimal(claim.after_luck, 2)} firmer.`,
    ];
  }
  return [
    `One can know in ${timeWords(none.median_days)}, at even odds`,
    `Of strategies without any edge, half would be stopped by then, and ${ofHundred(none.share_3y)} within 3 years; of those with half of the claimed edge, ${ofHundred(long.stop!.half.share_3y)}. ${holds}`,
  ];
}

function tilesOf({ claim, sharpe, stop, verdict }: CheckLive): [string, string, string?][] {
  const { evidence } = stop.contradiction;
  return [
    [
      "what luck leaves of the claim",
      decimal(claim.after_luck, 2),
      `of a Sharpe ratio of ${decimal(claim.sharpe, 2)}`,
    ],
    ["what the live days show", decimal(sharpe, 2), "by the same measure"],
    [
      "how much speaks against it",
      decimal(evidence, evidence !== null && evidence < 10 ? 1 : 0),
      "times; 20 is a stop",
    ],
    [
      "false stops within ten years",
      `${decimal(100 * verdict.error_rates.false_stop_10y, 1)} %`,
      "at worst on the shapes tried",
    ],
  ];
}

function factsOf(live: CheckLive): Fact[] {
  const { claim, stop, holds, decay, overlap } = live;
  const evidence = (name: string, of: CheckLive["holds"]): Fact => [
    name,
    decimal(of.evidence, 2),
    of.evidence_reason ??
      `highest ${decimal(of.evidence_highest, 2)}${of.reached_on === null ? "" : `; reached on ${of.reached_on}`}`,
  ];
  return [
    [
      "claim after luck",
      decimal(claim.after_luck, 2),
      `error ${decimal(claim.error, 2)}; ${claim.method.replaceAll("_", " ")}`,
    ],
    evidence("evidence: contradicts the claim", stop.contradiction),
    evidence("evidence: loses", stop.loses),
    evidence("evidence: holds", holds),
    [
      "a recent stretch as bad comes once in",
      decay.once_in_days === null ? "none" : `${decimal(decay.once_in_days, 0)} days`,
      decay.once_in_days_reason ?? `since ${decay.since ?? ""}`,
    ],
    ["contradicted up to so many tries", count(stop.contradiction.up_to_trials)],
    ["swings, live to backtest", decimal(live.volatility_ratio, 2), "cautioned outside 0.5 to 2"],
    ["days that count as one", decimal(live.dependence, 2)],
    ["days between the records", decimal(live.gap_days, 0)],
    ...(overlap === null
      ? []
      : [
          [
            "days that both have",
            decimal(overlap.days, 0),
            `correlation ${decimal(overlap.correlation, 2)}, difference ${signedPercent(overlap.difference_pct)} a year`,
          ] as const,
        ]),
  ];
}

export function liveTitle({ verdict, claim, stop, how_long: long }: CheckLive): string {
  if (verdict.value !== "open" && verdict.value !== "below") return TITLES[verdict.value];
  const isAsked = claim.n_trials.source === "assumed" && stop.contradiction.reached_on !== null;
  if (isAsked) return "It depends on how many you tried.";
  const isHopeless = verdict.value === "open" && long.stop?.none.median_days === null;
  return isHopeless ? "No one can tell yet." : TITLES[verdict.value];
}
