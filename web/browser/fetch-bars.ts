import type { Bars } from "../../quant/bars.ts";
import { barsOfJson, barsPath, type BarsJson } from "../bars-data.ts";

/** The daily prices of a coin, from the server that the page came from. Rejects where it doesn't give them. */
export async function fetchBars(coin: string): Promise<Bars> {
  const response = await fetch(barsPath(coin));
  if (!response.ok) throw new RangeError(`the prices of ${coin} can't be had from this server`);
  return barsOfJson((await response.json()) as BarsJson);
}
