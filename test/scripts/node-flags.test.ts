import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SERVER_NODE_FLAGS } from "../../scripts/node-flags.ts";

const FLAGS = SERVER_NODE_FLAGS.join(" ");

/** Lines that start one server by naming its file; the processes of `--processes` are given the flags by their parent. */
function serverStarts(file: string): readonly string[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => /hindsight\.js serve/.test(line) && !line.includes("--processes"));
}

test.each(["docs/operations.md", "docs/api.md", "docs/clients.md", "README.md"])(
  "every server that %s starts has the flags",
  (file) => {
    for (const line of serverStarts(file)) expect(line).toContain(`node ${FLAGS} dist/`);
  },
);

test("the documented ways to start a server are found at all", () => {
  expect(serverStarts("docs/operations.md").length).toBeGreaterThan(3);
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
