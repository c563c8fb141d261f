import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { reconcileTrades } from "../../../quant/live/reconcile.ts";
import { reconcileDays } from "../../../quant/live/reconcile-days.ts";
const ROOT = "/work/shared/data/reconcile/";
const coinName = (t: string) => { let s=t.toUpperCase().replace(/^[A-Z]+:(?=[A-Z]{4,})/,"").replace(/:.*$/,"").replace(/\.P$|[-_.]?PERP$|-SWAP$/,"").replace(/[/\-_]/g,""); s=s.replace(/^XX?BT/,"BTC").replace(/(USDT|USDC|BUSD|FDUSD)$/,"USD"); return s; };
function ledger(file: string, capital: number, fundingSign: number) {
  const [head, ...rows] = readFileSync(file, "utf8").trim().split("\n");
  const names = head!.split(",");
  const seen = new Set<string>();
  const trades = rows.flatMap((row, i) => {
    if (seen.has(row)) return []; seen.add(row);
    const c = Object.fromEntries(row.split(",").map((v, k) => [names[k]!, v]));
    return [{ variant: "x", line: i + 2, entry: Date.parse(c.entry_time + "Z") / 1000, exit: Date.parse(c.exit_time + "Z") / 1000,
      symbol: coinName(c.symbol!), long: c.side === "long", size: +c.quantity!, entryPrice: +c.entry_price!, exitPrice: +c.exit_price!,
      fee: +c.fee!, funding: fundingSign * +c.funding_fee!, profit: +c.profit!, reason: c.exit_reason }];
  });
  return { trades, capital };
}
for (const name of readdirSync(ROOT).filter((n) => /^\d/.test(n) && !n.startsWith("12")))
  test(name, () => {
    const c = JSON.parse(readFileSync(ROOT + name + "/case.json", "utf8"));
    const e = JSON.parse(readFileSync(ROOT + name + "/expected.json", "utf8"));
    const since = c.live_since && Date.parse(c.live_since) / 1000;
    const r: any = reconcileTrades(ledger(ROOT + name + "/backtest.csv", c.starting_capital, 1), ledger(ROOT + name + "/live.csv", c.live_starting_capital ?? c.starting_capital, 1), since);
    expect(r.reason ?? null).toBe(e.reason);
    if (e.reason) { console.log(name, r); return; }
    console.log(name, r.causes.map((x: any) => [x.cause, x.count, x.points.toFixed(3), x.t.toFixed(2)].join(" ")).join("; "), r.sizeRatio);
    expect([r.clockSeconds, r.barSeconds, r.pairs, r.leftOutBacktest, r.leftOutLive]).toEqual([e.clock_seconds, e.bar_seconds, e.pairs, e.left_out_backtest, e.left_out_live]);
    expect(r.backtestPoints).toBeCloseTo(e.backtest_pct, 9);
    expect(r.livePoints).toBeCloseTo(e.live_pct, 9);
    for (const [cause, x] of Object.entries<any>(e.classes)) {
      const got = r.causes.find((y: any) => y.cause === cause) ?? { points: 0, count: 0 };
      expect(Math.abs(got.points - x.points), cause).toBeLessThan(1e-6);
      if (cause !== "rest") expect(got.count, cause).toBe(x.trades);
    }
    const m = r.rows.filter((x: any) => x.cause === "matched").map((x: any) => [x.backtest.lines, x.live.lines]).sort((a: any, b: any) => a[0][0] - b[0][0]);
    expect(m).toEqual([...e.matched].sort((a: any, b: any) => a[0][0] - b[0][0]));
  });
test("12", () => {
  const read = (f: string) => new Map(readFileSync(ROOT + "12-days/" + f, "utf8").trim().split("\n").slice(1).map((l) => l.split(",") as [string, string]).map(([d, v]) => [d, +v]));
  const [b, l] = [read("backtest.csv"), read("live.csv")];
  const days = [...l.keys()].filter((d) => b.has(d));
  console.log(days.length, reconcileDays(Float64Array.from(days, (d) => b.get(d)!), Float64Array.from(days, (d) => l.get(d)!)), JSON.parse(readFileSync(ROOT + "12-days/expected.json", "utf8")));
});
import { differenceSentence, tradeNotes } from "../../../quant/live/reconcile-words.ts";
for (const name of readdirSync(ROOT).filter((n) => /^\d/.test(n) && !n.startsWith("12") && !n.startsWith("08")))
  test(name + " words", () => {
    const c = JSON.parse(readFileSync(ROOT + name + "/case.json", "utf8"));
    const since = c.live_since && Date.parse(c.live_since) / 1000;
    const r: any = reconcileTrades(ledger(ROOT + name + "/backtest.csv", c.starting_capital, 1), ledger(ROOT + name + "/live.csv", c.live_starting_capital ?? c.starting_capital, 1), since);
    console.log(name, differenceSentence(r), tradeNotes(r));
  });
test("speed", () => {
  let seed = 1; const rnd = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (const step of [1, 300, 3600]) {
  const make = (shift: number) => ({ capital: 1e6, trades: Array.from({ length: 20000 }, (_, i) => ({ variant: "x", line: i, entry: 1.7e9 + i * step + Math.floor(shift * rnd() * 3), exit: 1.7e9 + i * step + 600 + Math.floor(rnd() * 100), symbol: "BTCUSD", long: true, size: 1, entryPrice: 100 + rnd(), exitPrice: 100 + rnd(), fee: 0.1, funding: 0, profit: 0 })) .map((t) => ({ ...t, profit: t.exitPrice - t.entryPrice - 0.1 })) });
  const [a, b] = [make(0), make(1)];
  const t0 = performance.now(); const r: any = reconcileTrades(a, b); if (r.rows) { differenceSentence(r); tradeNotes(r);} console.log(step, performance.now() - t0, r.pairs, r.reason);
  }
}, 60000);
