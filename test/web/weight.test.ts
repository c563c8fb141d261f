import type { DatasetPick } from "../../api/dataset-pick.ts";
import type { Dataset } from "../../api/dataset.ts";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { siteAssets } from "../../server/pages/site.ts";
import { siteDataOf } from "../../server/pages/site-data.ts";
import type { SiteData } from "../../web/site-data.ts";
import { renderPath } from "../../web/site.tsx";
import { FIRST_DAY, marketSnapshot } from "../support/server-market.ts";

/** For the page with its charts and the style sheet. */
const BYTES_MAX = 100 * 1024;
/** More than any coin has: nine years. */
const DAYS = 3300;
const TEMPLATES = 22;
const COINS = 40;

const market = [{ ticker: "btc", name: "Bitcoin", firstDay: FIRST_DAY, days: DAYS }];
const assets = siteAssets();
const styles = (await assets.byPath.get(assets.styles)!.body()).gzip.length;
const site = siteDataOf(marketSnapshot(undefined, market), new Set(["btc"]));

function bytesOf(path: string, data: SiteData): number {
  return gzipSync(renderPath(path, "html", data)).length + styles;
}

/** A dataset of the full size, whose Sharpe ratios do not repeat. */
function fullDataset(): Dataset {
  const { picks, ...rest } = site.dataset();
  const first = picks[0]!;
  const all = Array.from({ length: TEMPLATES * COINS }, (_, at): DatasetPick => {
    const sharpe = (scale: number) => 2 * Math.sin((at + 1) * scale);
    return {
      ...first,
      template: `template_of_some_name_${at % TEMPLATES}`,
      coin: `c${Math.floor(at / TEMPLATES)}`,
      in_sample: { ...first.in_sample, sharpe: sharpe(1.7) },
      out_of_sample: { ...first.out_of_sample, sharpe: sharpe(2.3) },
      buy_hold: { ...first.buy_hold, out_of_sample_sharpe: sharpe(3.1) },
    };
  });
  return { ...rest, picks: all, picks_total: all.length };
}

test("the heaviest pages weigh at most 100 KB, compressed, with their style sheet", () => {
  expect(bytesOf("/check", site)).toBeLessThan(BYTES_MAX);
  expect(bytesOf("/coins/btc", site)).toBeLessThan(BYTES_MAX);
  const dataset = fullDataset();
  expect(bytesOf("/dataset", { ...site, dataset: () => dataset })).toBeLessThan(BYTES_MAX);
});
