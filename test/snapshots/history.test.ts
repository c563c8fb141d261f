import { expect, test } from "vitest";
import { readTables } from "../../snapshots/history.ts";
import { PRICES } from "../../snapshots/tables/prices.ts";
import { REJECTS } from "../../snapshots/tables/rejects.ts";
import type { Table } from "../../snapshots/tables/table.ts";
import { runPrices } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = () => temporaryFolder("snapshots");

test("a table that another version wrote with other columns is left out, the others are read", async () => {
  const { dir } = await runPrices(folder());
  const [day] = PRICES.columns.slice(1);
  const more: Table = { ...PRICES, columns: [...PRICES.columns, { ...day!, name: "later" }] };
  const fewer: Table = { ...PRICES, columns: PRICES.columns.slice(0, -1) };
  const absent: Table = { ...PRICES, name: "absent" };
  const tables = await readTables(dir, [more, fewer, absent, PRICES, REJECTS]);
  expect([...tables.keys()]).toEqual([PRICES, REJECTS]);
});
