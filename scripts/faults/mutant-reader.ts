/** Entry point of a process that reads one mutant after the other: see `mutants.ts`. */
import { readFileSync } from "node:fs";
import { parentChannel } from "../../aside/channel.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { buildPanel } from "../../quant/check/build-panel.ts";
import { failureReply } from "../../server/checks/failure-reply.ts";
import type { CheckFailure } from "../../server/checks/check-task.ts";
import { mutantOf } from "./mutate.ts";

export type MutantReply = (CheckFailure | { readonly kind: "read" }) & { readonly peakMb: number };

/** The limit of a check over HTTP. */
const CELLS_MAX = 2_000_000;
const files = new Map<string, Uint8Array>();

process.on("unhandledRejection", () => {}); // see `sent-file.ts`
parentChannel({
  async read(path: string, seed: string): Promise<MutantReply> {
    const bytes = files.get(path) ?? new Uint8Array(readFileSync(path));
    files.set(path, bytes);
    const outcome = await outcomeOf(mutantOf(bytes, seed));
    return { ...outcome, peakMb: process.resourceUsage().maxRSS / 1024 };
  },
});

async function outcomeOf(bytes: Uint8Array): Promise<CheckFailure | { readonly kind: "read" }> {
  try {
    const { rows } = await readExport(bytes, { startingCapital: 10_000 }, CELLS_MAX);
    if (rows !== undefined) buildPanel(rows);
    return { kind: "read" };
  } catch (error) {
    return failureReply(error);
  }
}
