import { describe, expect, test } from "vitest";
import { orderStages } from "../../pipeline/stage-order.ts";
import type { Stage } from "../../pipeline/stages/stage.ts";
import { TABLES } from "../../snapshots/tables.ts";
import type { Table } from "../../snapshots/tables/table.ts";
import { STAGES } from "../support/snapshot-market.ts";

const table = (name: string): Table => ({
  name,
  description: "",
  key: [],
  columns: [],
  arrow: false,
});
const [A, B, C] = [table("a"), table("b"), table("c")];
const stage = (name: string, reads: Table[], writes: Table[]): Stage => ({
  name,
  reads,
  writes,
  run: async () => new Map(),
});
const names = (stages: readonly Stage[]) => stages.map(({ name }) => name);

describe("orderStages", () => {
  test("puts a stage after those that write what it reads, else keeps the order", () => {
    const stages = [
      stage("last", [A, B], [C]),
      stage("second", [A], [B]),
      stage("first", [], [A]),
      stage("free", [], []),
    ];
    expect(names(orderStages(stages))).toEqual(["first", "second", "last", "free"]);
  });

  test("refuses a table that is written twice, by no stage, or by its own reader", () => {
    expect(() => orderStages([stage("x", [], [A]), stage("y", [], [A])])).toThrow(
      'stages "x" and "y" both write "a"',
    );
    expect(() => orderStages([stage("x", [A], [])])).toThrow('no stage writes "a"');
    expect(() => orderStages([stage("x", [A], [A])])).toThrow("wait for each other: x <- x");
  });

  test("refuses stages that wait for each other", () => {
    expect(() => orderStages([stage("x", [A], [B]), stage("y", [B], [A])])).toThrow("x <- y <- x");
  });

  test("the stages of a run write every table of a snapshot, each once", () => {
    const written = orderStages(STAGES).flatMap(({ writes }) => writes.map(({ name }) => name));
    expect(written.sort()).toEqual(TABLES.map(({ name }) => name).sort());
  });
});
