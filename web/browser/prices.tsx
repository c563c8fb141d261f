/** Shows other periods of a coin's prices, from what the server has of them, loaded with the first one asked for. */
import { hydrate, render } from "preact";
import type { Bars } from "../../quant/bars.ts";
import { barsOfJson, barsPath, type BarsJson } from "../bars-data.ts";
import { Figure } from "../charts/chart.tsx";
import { priceDrawing, priceSeriesOf, type PriceRange } from "../price-view.ts";
import { PriceTools } from "./price-tools.tsx";
import { followFigure } from "./values.ts";

let loaded: Bars | undefined;

const tools = document.getElementById("price-tools");
const picture = document.getElementById("price-picture");
if (tools !== null && picture !== null) {
  const { coin = "", synthetic } = picture.dataset;
  const show = async (range: PriceRange, isLinear: boolean) => {
    try {
      loaded ??= await barsOf(coin);
    } catch {
      return "The prices can’t be had from the server now.";
    }
    const view = { ticker: coin.toUpperCase(), isSynthetic: synthetic !== undefined, isLinear };
    const drawing = priceDrawing(priceSeriesOf(loaded, range), view);
    // What follows the pointer has added to the last one.
    render(null, picture);
    picture.replaceChildren();
    render(<Figure drawing={drawing} />, picture);
    followFigure(picture.querySelector("figure")!); // it was just drawn
    return "";
  };
  hydrate(<PriceTools onChange={show} />, tools);
}

async function barsOf(coin: string): Promise<Bars> {
  const response = await fetch(barsPath(coin));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return barsOfJson((await response.json()) as BarsJson);
}
