/** Shows other periods of a coin's prices, which load with the first one chosen. The address keeps the choice. */
import { hydrate, render } from "preact";
import type { Bars } from "../../quant/bars.ts";
import { Figure } from "../charts/chart.tsx";
import { FIRST_RANGE, priceDrawing, priceSeriesOf, type PriceRange } from "../price-view.ts";
import { keepInAddress } from "./address.ts";
import { fetchBars } from "./fetch-bars.ts";
import { PriceTools, RANGES } from "./price-tools.tsx";
import { followFigure } from "./values.ts";

let loaded: Bars | undefined;

const tools = document.getElementById("price-tools");
const picture = document.getElementById("price-picture");
if (tools !== null && picture !== null) {
  const { coin = "", synthetic } = picture.dataset;
  const show = async (range: PriceRange, isLinear: boolean) => {
    const scale = isLinear ? "linear" : "log";
    keepInAddress(new URLSearchParams({ period: range, scale }));
    try {
      loaded ??= await fetchBars(coin);
    } catch {
      return "The prices can’t be had from the server now.";
    }
    const view = { ticker: coin.toUpperCase(), isSynthetic: synthetic !== undefined, isLinear };
    const drawing = priceDrawing(priceSeriesOf(loaded, range), view);
    // The script that follows the pointer has added elements to the last picture.
    render(null, picture);
    picture.replaceChildren();
    render(<Figure drawing={drawing} />, picture);
    followFigure(picture.querySelector("figure")!); // it was just drawn
    return "";
  };
  const asked = viewOf(location.search);
  // The server drew the first view. A link's own view replaces it.
  if (asked === undefined) {
    hydrate(<PriceTools onChange={show} />, tools);
  } else {
    render(<PriceTools first={asked} onChange={show} />, tools);
    void show(asked.range, asked.isLinear);
  }
}

/** The period and the scale of a link; undefined if it has none. */
function viewOf(query: string) {
  const values = new URLSearchParams(query);
  const [period, scale] = [values.get("period"), values.get("scale")];
  if (period === null && scale === null) return undefined;
  const range = RANGES.find((name) => name === period) ?? FIRST_RANGE;
  return { range, isLinear: scale === "linear" };
}
