import { readFileSync, readdirSync } from "node:fs";
import { test } from "vitest";
import { readExport } from "../../check/formats/read-export.ts";
const ROOT = "/work/shared/data/reconcile/";
for (const name of readdirSync(ROOT))
  for (const f of ["backtest.csv", "live.csv", "live.json"])
  test(name + f, async () => {
    let b; try { b = readFileSync(ROOT + name + "/" + f); } catch { return; }
    const r = await readExport(new Uint8Array(b), { startingCapital: 10000 });
    const l = r.ledger?.trades ?? [];
    const sum = (k: string) => l.reduce((a, t: any) => a + t[k], 0).toFixed(4);
    console.log(name, f, r.kind, r.format, l.length, "fee", sum("fee"), "fund", sum("funding"), "profit", sum("profit"), "size", sum("size"), l[0]?.reason, r.warnings.map((w) => w.code).join());
  });
