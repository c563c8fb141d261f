import type { PeersFigures, TimingFigures } from "../quant/check/report.ts";
import { int, number, object, oneOf, percent, text } from "./members.ts";
import { record } from "./record.ts";

type LaterFigures = NonNullable<TimingFigures["later"]>;
type FillFigures = NonNullable<TimingFigures["fills"]>;

const status = oneOf(["found", "passed", "not_tested"]);

export const Earned = record<PeersFigures["sameDays"]["hold"]>()({
  sharpe: number.orNull("a year"),
  return_pct: percent("over the same days", (earned) => earned.totalReturn),
  max_drawdown_pct: percent("0 or negative"),
});

const Later = record<LaterFigures>({ id: "CheckLater" })({
  status: status(),
  score_1: number("how surely acting a bar later costs something"),
  score_2: number("how surely the second bar does"),
  score_needed: number("to be found"),
  changes_1: int("bars on which acting a bar later makes a difference"),
  changes_2: int("bars on which the second bar does"),
  told: number.orNull("share of the market's large moves that tell a position"),
  size: number("usual position, as a multiple of the account"),
  cash: number("interest of a bar"),
  sent: object(Earned)("as sent"),
  one: object(Earned).orNull("one bar later and without fees; null where positions are unclear"),
  two: object(Earned).orNull("two bars later and without fees"),
  variants_tested: int.orNull("whose positions are clear; null with more than 200 variants"),
  variants_found: int.orNull(),
});

const Fills = record<FillFigures["entry"]>({ id: "CheckFills" })({
  status: status(),
  tested: int("inside their day's range, and away from its open and close"),
  near: int("of these at the edge that suits them"),
  other: int("outside their day's range"),
  p_value: number("of as many at an edge, where a quarter would be"),
});

const FillSides = record<FillFigures>()({ entry: object(Fills)(), exit: object(Fills)() });

const Levels = record<NonNullable<TimingFigures["levels"]>>({ id: "CheckLevels" })({
  status: status(),
  tested: int("days that reached both levels"),
  profit_first: int("of these, days on which the profit was taken"),
  take_pct: percent.orNull("usual gain of a trade that won"),
  stop_pct: percent.orNull("usual loss of a trade that lost, above 0"),
  p_value: number("of as many, where half would be"),
});

export const CheckTiming = record<TimingFigures>({
  id: "CheckTiming",
  description: "Whether prices were known before they were traded at.",
})({
  status: status("found if any test finds something, passed if any was made"),
  reason: text.orNull("why returns were not tested a bar later"),
  said: oneOf(["intraday"]).orNull("what was said of the fills"),
  later: object(Later).orNull("every position a bar later"),
  fills: object(FillSides).orNull("prices of the trades; null where there is no list of them"),
  levels: object(Levels).orNull("stops and profits that one day reaches both"),
});
