import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SERVER_NODE_FLAGS } from "../../scripts/node-flags.ts";

const FLAGS = SERVER_NODE_FLAGS.join(" ");
const DOCUMENTS = ["README.md", "docs/operations.md", "docs/api.md", "docs/clients.md"];

test("every documented start of a server has the flags", () => {
  const lines = DOCUMENTS.flatMap((file) => readFileSync(file, "utf8").split("\n"));
  // The processes of `--processes` are given them by their parent.
  const starts = lines.filter(
    (line) => /hindsight\.js serve/.test(line) && !line.includes("--processes"),
  );
  expect(starts.length).toBeGreaterThan(3);
  for (const line of starts) expect(line).toContain(`node ${FLAGS} dist/`);
});

test("make, the container and the command itself start Node with the flags", () => {
  const makefile = readFileSync("Makefile", "utf8");
  expect(makefile).toContain(`HINDSIGHT := node ${FLAGS} dist/scripts/hindsight.js\n`);
  expect(readFileSync("docs/operations.md", "utf8")).toContain(
    `ENTRYPOINT ["node", "${SERVER_NODE_FLAGS.join('", "')}", "dist/scripts/hindsight.js"]`,
  );
  const [shebang] = readFileSync("scripts/hindsight.ts", "utf8").split("\n");
  expect(shebang).toBe(`#!/usr/bin/env -S node ${FLAGS}`);
});
