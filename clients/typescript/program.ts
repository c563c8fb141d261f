/** Rule 4 of clients/behaviours.md, as far as types say it: every operation, and mistakes that are none of it. */
import { type Hindsight, MoreNeeded } from "hindsight-backtests";

export async function program(hs: Hindsight): Promise<unknown> {
  const days: string[] = (await hs.get("/history", { coin: "btc", columns: ["close"] })).dates;
  const name: string = (await hs.get("/signals")).attribution.source;
  const result = await hs.job("/backtests", { strategy: "ma_cross", start_date: "2024-01-01" });
  const sharpe: number | null = result.sharpe;
  const job = await hs.get("/backtests/{id}", { id: 7 });
  if (job.status === "done") return job.result.sharpe;
  const { verdict } = await hs.check("date,returns", { n_trials: 10, live: new Blob() });
  const { data } = await hs.api.GET("/dca", {
    params: { query: { coin: "btc", frequency: "monthly" } },
  });
  const value: number | null | undefined = data?.data.return_pct;
  const size: number | undefined = (await hs.get("/snapshots")).files[0]?.bytes;
  const link: string = await hs.table("prices");
  for (const path of [
    "/rating-worth",
    "/overfitting-index",
    "/dataset",
    "/strategies",
    "/usage",
  ] as const)
    await hs.get(path);
  await hs.get("/base-rates", { sharpe: 1, length_days: 700 });
  await hs.get("/buy-hold", { coin: "btc" });
  await hs.job("/studies", {
    strategy: "ma_cross",
    start_date: "2024-01-01",
    parameters: { fast: [5] },
  });
  await hs.get("/studies/{id}", { id: 7 });
  // @ts-expect-error a coin is required
  await hs.get("/dca", {});
  // @ts-expect-error there is no such parameter
  await hs.get("/dca", { coin: "btc", coins: "eth" });
  // @ts-expect-error there is no such path
  await hs.get("/coins");
  // @ts-expect-error there is no such template
  await hs.job("/backtests", { strategy: "ma_corss", start_date: "2024-01-01" });
  return [days, size, link, name, sharpe, verdict.value, value, MoreNeeded];
}
