import type { TimingFigures } from "./timing.ts";

type Later = NonNullable<TimingFigures["later"]>;

/** With fewer changes of position, a pass is weak evidence. */
const CHANGES_MIN = 80;

const digits = (value: number) => String(Number(value.toPrecision(2)));

/** What was known too early, with what to send instead: the plainest to mend first. */
export function foreknown(timing: TimingFigures | null) {
  if (timing === null) return [];
  const { fills, levels, later, said, bar } = timing;
  const found: { readonly code: ForeknownCode; readonly text: string }[] = [];
  for (const [name, side] of Object.entries({ entries: fills?.entry, exits: fills?.exit })) {
    if (side?.status !== "found") continue;
    const edge = side.lows === side.near ? "low" : side.lows === 0 ? "high" : "low or high";
    const text =
      `${side.near} of ${side.tested} ${name} lie at the day's ${edge}, which isn't known before the day is over. ` +
      "Send it with fills at the open, at the close or at prices set beforehand";
    found.push({ code: "fill_at_extreme", text });
  }
  if (levels?.status === "found") {
    const all = levels.profitFirst === levels.tested ? "all" : `${levels.profitFirst} of`;
    const text =
      `on ${all} ${levels.tested} days that reached its stop and its profit it took the profit; as prices go, the ` +
      "stop comes first on half of them or more. Send it with the stop first on such days";
    found.push({ code: "profit_first", text });
  }
  if (later?.status === "found" && said === null) {
    const next = bar === "day" ? "tomorrow's" : "the next bar's";
    const what =
      later.delay === 1
        ? `its gains come on the very ${bar}s on which it trades, and`
        : `its positions fit the ${bar} after, as if ${next} price were known:`;
    const text =
      `${what} ${delayWords(timing)} a Sharpe ratio of ${digits(later.sent.sharpe)} is ${leftOf(later)}. Act on each signal a ${bar} later and send ` +
      `that, or say that it trades within the ${bar} (--fills intraday)`;
    found.push({ code: "known_later", text });
  }
  return found;
}

export type ForeknownCode = "fill_at_extreme" | "profit_first" | "known_later";

/** The delay that takes most away: "one day later". */
export function delayWords({ later, bar }: TimingFigures): string {
  return later?.delay === 2 ? `two ${bar}s later` : `one ${bar} later`;
}

/** What the Sharpe ratio is after that delay. */
function leftOf({ delay, one, two }: Later): string {
  return digits((delay === 1 ? one : two)!.sharpe); // positions are clear where something is found
}

/** The condition that the sender's word puts on a verdict. */
export function saidWords(timing: TimingFigures | null): string {
  const later = timing?.later;
  if (timing?.said !== "intraday" || later?.status !== "found") return "";
  return `, if each fill came after its signal, as you said: ${delayWords(timing)} its Sharpe ratio is ${leftOf(later)}`;
}

/** What else there is to say. `reason` is what the verdict says already. */
export function timingNotes(timing: TimingFigures, reason: string | null): string[] {
  const { later, bar } = timing;
  const others = foreknown(timing).filter(({ text }) => text !== reason);
  const notes = others.map(({ text }) => `${text[0]!.toUpperCase()}${text.slice(1)}.`);
  if (later?.status !== "passed") return notes;
  const { sent, changes1: changes, variantsTested: tested, variantsFound: found } = later;
  const one = later.one!; // positions are clear
  const isHalf = one.sharpe < sent.sharpe / 2;
  const rest =
    isHalf && sent.sharpe > 0
      ? "; of honest strategies that look good three in ten lose as much, of the best of 200 nearly half, so this alone says nothing"
      : "";
  notes.push(
    `Acting one ${bar} later its Sharpe ratio would be ${digits(one.sharpe)} instead of ${digits(sent.sharpe)}${rest}.`,
  );
  if (changes < CHANGES_MIN)
    notes.push(
      `It changed its position only ${changes === 1 ? "once" : `${changes} times`}, too few to rule out that it knew prices before it traded.`,
    );
  if ((found ?? 0) > 0)
    notes.push(
      `${found} of the ${tested} variants that could be tested gain on the very ${bar}s on which they trade.`,
    );
  return notes;
}

/** How far look-ahead was tested, and what no record shows. */
export function lookAheadCaution(timing: TimingFigures | null): string {
  const others = "missing costs and bad prices are not tested.";
  if (timing === null) return `Look-ahead in the strategy's own code, ${others}`;
  const { status, reason } = timing;
  const how =
    reason === null
      ? "tested only as far as daily prices show it: not fitting on the whole period, not coins that survived"
      : `${status === "not_tested" ? "not tested" : "tested only in the prices of its trades"}: ${reason}`;
  return `Look-ahead was ${how}. M${others.slice(1)}`;
}
