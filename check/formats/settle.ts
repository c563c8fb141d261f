import { FileRefused } from "../../files/refused.ts";
import { BARS_MIN, tooShortWords } from "../../quant/check/build-panel.ts";
import { dayOf } from "../../quant/check/ordered-rows.ts";
import type { CheckWarning } from "../../quant/check/panel.ts";
import type { Ledger, LedgerTrade, Trade, TradeList } from "../../quant/check/trade.ts";
import { median } from "../../quant/sample-statistics.ts";
import { correlation } from "../columns/market-column.ts";
import type { Deal } from "./deal.ts";
import {
  MoreNeeded,
  question,
  type Question,
  type ReadExport,
  type ReadOptions,
} from "./export.ts";
import { quoteOf } from "./fee-unit.ts";
import { fitPrices, priceMove, type PriceFit } from "./price-fit.ts";
import { ledgerWithin, listExport, REALISED_WARNING } from "./table-format.ts";

/** What is known about all deals of a list. */
export interface SettledOf {
  readonly format: string;
  readonly tool: string;
  readonly warnings: CheckWarning[];
  /** What the tool or a column's name says of the profits. */
  readonly profitIs?: "net" | "gross" | undefined;
  /** Whether cells have percent signs, and so are fractions, or only the column's name says percent. */
  readonly percentIs?: "fraction" | "named" | undefined;
  /** Whether the tool's sizes are coins. */
  readonly areCoins?: boolean;
  readonly list?: Omit<Partial<TradeList>, "trades" | "capital">;
  /** What positions that are still open had won or lost at the end. */
  readonly floating?: number | undefined;
}

/**
 * The list of trades that deals make, in the order of their exits. Profits after fees come from profits in money, else
 * from prices and quantities, else from percents of the money in each trade or of the whole account.
 */
export function settled(all: readonly Deal[], source: SettledOf, options: ReadOptions): ReadExport {
  if (all.length === 0) throw new FileRefused("the file has no trade that was closed");
  const deals = all.toSorted((a, b) => a.exit - b.exit);
  const fit = deals.every(({ profit }) => Number.isFinite(profit)) ? fitPrices(deals) : undefined;
  const { profits: written, sizes } = moneyOf(deals, fit, { ...options, ...source });
  const agreed = sizes === undefined ? moved(deals, written) : undefined;
  const before = sizes === undefined ? agreed?.before : 1;
  const ofAccount =
    agreed === undefined ? accountSteps(deals, written, options.startingCapital) : undefined;
  if (ofAccount !== undefined) source.warnings.push(ACCOUNT_COUNTS);
  const profits = ofAccount ?? written;
  const isDoubtful = agreed === undefined && ofAccount === undefined && fell(deals, written);
  const { startingCapital: capital = before } = options;
  if (options.startingCapital === undefined && before !== undefined && sizes === undefined) {
    const message = `the capital of ${before} is what the account's balance was before the first trade`;
    source.warnings.push({ code: "capital_inferred", message });
  }
  if (capital === undefined) {
    refuseShort(deals, { ...options, ...source });
    throw question(
      "startingCapital",
      "this is a list of trades without the capital that the account began with: how much was it? Better still, " +
        "export the daily equity curve",
    );
  }
  const multiplier = source.areCoins === true ? 1 : (fit?.multiplier ?? 1);
  const trades = deals.map((deal, index): Trade => {
    const { variant, entry, exit, symbol, entryPrice, exitPrice } = deal;
    const size = sizes?.[index] ?? deal.size;
    const { long } = deal.side;
    const unmarked = unmarkedWords(deal, { size, multiplier, isDoubtful });
    const position =
      unmarked === undefined
        ? { symbol, size, entryPrice, exitPrice, long: long! } // else it says so
        : undefined;
    return { variant, entry, exit, profit: profits[index]!, position, unmarked };
  });
  const { floating } = source;
  if (floating !== undefined && floating !== 0) {
    const { variant, exit } = trades.at(-1)!; // there is one
    const unmarked = "positions are still open at the end";
    trades.push({ variant, entry: exit, exit, profit: floating, unmarked });
    const message = `positions open at the end had made ${floating}, which counts on the last day`;
    source.warnings.push({ code: "floating_counted", message });
  }
  const warnings = [...source.warnings, REALISED_WARNING];
  const read = listExport({ ...source, warnings }, { ...source.list, trades, capital });
  const ledger = ledgerOf(deals, profits, { capital, sizes, flows: source.list?.flows });
  return { ...read, ledger };
}

/** Why a trade can't be valued while it was open; undefined if it can. */
function unmarkedWords(
  { isHeld, entry, exit, entryPrice, side }: Deal,
  contract: { readonly size: number; readonly multiplier: number; readonly isDoubtful: boolean },
): string | undefined {
  const { size, multiplier, isDoubtful } = contract;
  if (isDoubtful) return "the balance in the file falls though the profits add up to a gain";
  if (!isHeld)
    return entry === exit
      ? "the file doesn't say when trades were entered"
      : "some positions were built up over several days";
  if (!(size * entryPrice > 0)) return "some trades lack their size or price";
  if (side.long === undefined) return "some trades don't say whether they are long or short";
  if (Number.isNaN(multiplier)) return "the profits don't follow from sizes and prices";
  // As of futures or lots, whose sizes don't count coins.
  return multiplier > 0.75 && multiplier < 1.33
    ? undefined
    : `profits are ${Number(multiplier.toPrecision(3))} times what sizes and prices make, as with leverage, lots or another currency`;
}

/** Refuses trades within too few days, which no answer makes more. */
function refuseShort(deals: readonly Deal[], { list = {}, isLive }: Asked): void {
  const { first = Math.min(...deals.map(({ entry }) => dayOf(entry))) } = list;
  const { last = Math.max(...deals.map(({ exit }) => dayOf(exit))) } = list;
  const days = last - first + 1;
  if (days < BARS_MIN && isLive !== true) throw new FileRefused(tooShortWords(days));
}

function ledgerOf(
  deals: readonly Deal[],
  profits: readonly number[],
  account: Omit<Ledger, "trades"> & { readonly sizes: Money["sizes"] | undefined },
): Ledger | undefined {
  const trades = deals.map((deal, index): LedgerTrade => {
    const { fee, side, ...rest } = deal;
    const long = side.long ?? true;
    const size = account.sizes?.[index] ?? deal.size;
    return { ...rest, long, size, fee: fee - deal.funding, profit: profits[index]! };
  });
  return ledgerWithin({ trades, capital: account.capital, flows: account.flows });
}

interface Money {
  readonly profits: readonly number[];
  /** Where each trade took the whole account: the sizes for an account that began with the capital, or with 1. */
  readonly sizes?: readonly number[];
}

type Asked = SettledOf & ReadOptions;

function moneyOf(deals: readonly Deal[], fit: PriceFit | undefined, asked: Asked): Money {
  if (fit !== undefined) return { profits: writtenProfits(deals, fit, asked) };
  const without = deals.find(({ profit }) => !Number.isFinite(profit))!; // else there would be a fit
  if (deals.some(({ profit }) => Number.isFinite(profit)))
    throw new FileRefused(
      `line ${without.line}: the trade has no profit where others have one: add it, or remove the line`,
    );
  const computed = (message: string) => asked.warnings.push({ code: "profits_computed", message });
  const moves = deals.map(priceMove);
  if (moves.every(Number.isFinite)) {
    refuseMixed(deals);
    computed("the profits were computed from prices and quantities, less fees");
    return { profits: moves.map((move, index) => move - deals[index]!.fee) };
  }
  const questions: Question[] = [];
  const shares = sharesOf(deals, asked, questions);
  const stakes = deals.map(({ value, size, entryPrice }) => value || size * entryPrice);
  const ofStakes = shares.map((share, index) => share * stakes[index]!);
  const ofBalances = deals.map(({ balances: [after = NaN] }, index) => {
    return after - after / (1 + shares[index]!);
  });
  const profits = stakes.every((stake) => stake > 0) ? ofStakes : ofBalances;
  const steps =
    profits === ofBalances && moved(deals, ofBalances) === undefined
      ? accountSteps(deals, ofBalances, asked.startingCapital)
      : undefined;
  const areKnown =
    profits === ofStakes || steps !== undefined || moved(deals, ofBalances) !== undefined;
  if (!areKnown && asked.allIn !== true) questions.push(ALL_IN);
  if (questions.length > 0) {
    refuseShort(deals, asked);
    throw new MoreNeeded(questions);
  }
  if (!areKnown) return allIn(deals, shares, asked);
  computed("the profits were computed from percents and the money in each trade or in the account");
  return { profits };
}

/** Profits of pairs in several currencies can't be added up. */
function refuseMixed(deals: readonly Deal[]): void {
  const quotes = new Set(deals.map(({ symbol }) => quoteOf(symbol?.toUpperCase() ?? "")));
  if (quotes.size < 2 || quotes.has(undefined)) return;
  const found = [...quotes].slice(0, 5).join(" and ");
  throw new FileRefused(
    `the trades are priced in ${found}, which can't be added up: send those in one`,
  );
}

/** Where more than this share of the deals lost just their fee, fees are taken off already. */
const NET_SHARE = 0.2;

/** The file's profits after fees. */
function writtenProfits(deals: readonly Deal[], fit: PriceFit, source: SettledOf): number[] {
  const profits = deals.map(({ profit }) => profit);
  if (deals.every(({ fee }) => fee === 0)) return profits;
  const openings = deals.filter(
    ({ profit, fee }) => fee > 0 && Math.abs(profit + fee) < 1e-6 * fee,
  );
  const byFees = openings.length > NET_SHARE * deals.length ? "net" : undefined;
  const profitIs = source.profitIs ?? byFees ?? balanceSays(deals) ?? fit.profitIs;
  if (profitIs === "net") return profits;
  const message =
    profitIs === "gross"
      ? "the profits are before fees, which were taken off"
      : "nothing in the file says whether its profits are before or after fees: the fees were taken off";
  source.warnings.push({ code: "fees_taken_off", message });
  return profits.map((profit, index) => profit - deals[index]!.fee);
}

/** The rest of a balance's steps may differ by rounding and by payments between trades. */
const AGREE_SHARE = 0.8;

/** If a balance moves by these amounts: what it was before the first, and the share of its steps that agree. */
export function moved(
  rows: readonly Deal[],
  amounts: readonly number[],
): { readonly before: number; readonly share: number } | undefined {
  for (const column of rows[0]!.balances.keys()) {
    const balances = rows.map((row) => row.balances[column] ?? NaN);
    const steps = balances.slice(1).map((balance, at) => balance - balances[at]!);
    const count = Math.max(1, steps.filter(Number.isFinite).length);
    const shareBy = (shift: number) => {
      const agreed = steps.filter((step, at) => {
        const amount = amounts[at + shift]!;
        const room = 0.03 * Math.abs(amount) + 1e-6 * Math.abs(balances[at]!);
        return Math.abs(step - amount) <= room;
      });
      return agreed.length / count;
    };
    const [after, earlier] = [shareBy(1), shareBy(0)]; // written after each row, or before it
    if (after >= AGREE_SHARE)
      return { before: Number((balances[0]! - amounts[0]!).toPrecision(12)), share: after };
    if (earlier >= AGREE_SHARE) return { before: balances[0]!, share: earlier };
  }
  return undefined;
}

const ACCOUNT_COUNTS: CheckWarning = {
  code: "balance_counts",
  message:
    "the account's balance moves with the profits, but by other amounts, as where they lack costs: the balance counts",
};
/** Steps of an account go with the profits where their correlation is above this. */
const GOES_WITH = 0.5;

/** The steps of a balance that goes with amounts without being moved by them, as where they lack costs. */
function accountSteps(
  deals: readonly Deal[],
  amounts: readonly number[],
  capital: number | undefined,
): readonly number[] | undefined {
  if (deals.length < 5) return undefined;
  const rest = (steps: readonly number[], from: number) =>
    median(steps.map((step, at) => step - amounts[at + from]!).filter(Number.isFinite));
  for (const column of deals[0]!.balances.keys()) {
    const balances = deals.map((deal) => deal.balances[column] ?? NaN);
    if (!balances.every(Number.isFinite)) continue;
    const steps = balances.slice(1).map((balance, at) => balance - balances[at]!);
    if (correlation(steps, amounts.slice(1)) > GOES_WITH) {
      const likely = amounts[0]! + rest(steps, 1);
      const said = balances[0]! - (capital ?? NaN);
      const isNear = Math.abs(said - likely) <= 10 * median(steps.map(Math.abs));
      return [isNear ? said : likely, ...steps];
    }
    if (correlation(steps, amounts.slice(0, -1)) > GOES_WITH)
      return [...steps, amounts.at(-1)! + rest(steps, 0)];
  }
  return undefined;
}

/** Whether a balance ended below its start though the profits add up to a gain. */
function fell(deals: readonly Deal[], profits: readonly number[]): boolean {
  if (!(profits.reduce((sum, profit) => sum + profit, 0) > 0)) return false;
  const [first, last] = [deals[0]!, deals.at(-1)!];
  return first.balances.some((balance, column) => last.balances[column]! < balance);
}

/** Whether a balance moves by profits before or after fees. */
function balanceSays(deals: readonly Deal[]): "net" | "gross" | undefined {
  const net = deals.map(({ profit }) => profit);
  const gross = deals.map(({ profit, fee }) => profit - fee);
  const [asNet, asGross] = [net, gross].map((amounts) => moved(deals, amounts)?.share ?? 0);
  return asNet === asGross ? undefined : asNet! > asGross! ? "net" : "gross";
}

/** Returns of single trades as fractions. */
function sharesOf(deals: readonly Deal[], asked: Asked, questions: Question[]): readonly number[] {
  const written = deals.map(({ percent }) => percent);
  const moves = deals.map((deal) => priceMove({ ...deal, size: 1 }) / deal.entryPrice);
  if (!written.every(Number.isFinite)) {
    if (moves.every(Number.isFinite)) return moves;
    throw new FileRefused(
      "the trades have neither profits nor prices with quantities: add a column of profits",
    );
  }
  const unit = asked.unit ?? unitOf(written, moves, asked);
  if (unit === "log") return written.map(Math.expm1);
  if (unit === "percent") return written.map((value) => value / 100);
  if (unit === undefined) {
    const text = `the first trade returns ${written[0]!}: is that a fraction or percent?`;
    const choices = ["percent", "fraction"].map((value) => ({ value, text: "" }));
    questions.push({ option: "unit", text, choices });
  }
  return written;
}

/**
 * Prices tell the unit. Without them, a column called percent is percent if any value reaches 1, and any other column is
 * fractions if none does.
 */
function unitOf(
  written: readonly number[],
  moves: readonly number[],
  { percentIs }: SettledOf,
): "percent" | "fraction" | undefined {
  const ratio = median(
    written.map((value, index) => Math.abs(value / moves[index]!)).filter(Number.isFinite),
  );
  if (percentIs === "fraction" || ratio < 5) return "fraction";
  if (ratio > 20) return "percent";
  const reachesOne = written.some((value) => Math.abs(value) >= 1);
  if (percentIs === "named") return reachesOne ? "percent" : undefined;
  return reachesOne ? undefined : "fraction";
}

const ALL_IN: Question = {
  option: "allIn",
  text:
    "the file has each trade's profit in percent, and not how much money was in it: was it the whole account each time? If " +
    "not, add a column of profits in money",
  choices: [{ value: "true", text: "every trade took the whole account, as it then was" }],
};

/** The profits of trades that each took the whole account. */
function allIn(deals: readonly Deal[], shares: readonly number[], asked: Asked): Money {
  if (deals.some(({ entry }, at) => entry < (deals[at - 1]?.exit ?? entry))) {
    const message = "some trades overlap, of which not each can have had the whole account";
    asked.warnings.push({ code: "trades_overlap", message });
  }
  let account = asked.startingCapital ?? 1;
  const [profits, sizes]: [number[], number[]] = [[], []];
  for (const [index, share] of shares.entries()) {
    sizes.push(account / deals[index]!.entryPrice);
    profits.push(account * share);
    account += account * share;
  }
  return { profits, sizes };
}
