import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SERVER_NODE_FLAGS } from "../../cli/node-flags.ts";

const FLAGS = SERVER_NODE_FLAGS.join(" ");
const DOCUMENTS = [
  "deploy/systemd/hindsight-pipeline.service",
  "deploy/systemd/hindsight-server@.service",
  "deploy/systemd/hindsight-worker.service",
  "README.md",
  "docs/api.md",
  "docs/clients.md",
  "docs/redis.md",
  "docs/reference.md",
  "docs/run.md",
];

test("every documented start of a server has the flags", () => {
  const lines = DOCUMENTS.flatMap((file) => readFileSync(file, "utf8").split("\n"));
  const starts = lines.filter((line) => /hindsight\.js serve/.test(line));
  expect(starts.length).toBeGreaterThan(2);
  for (const line of starts) expect(line).toContain(`node ${FLAGS} dist/`);
});

test("what answers no requests is started without them", () => {
  const lines = [...DOCUMENTS, "Makefile"].flatMap((file) =>
    readFileSync(file, "utf8").split("\n"),
  );
  const starts = lines.filter((line) => /hindsight\.js (?!serve)[a-z]/.test(line));
  expect(starts.length).toBeGreaterThan(5);
  for (const line of starts) expect(line).not.toContain(FLAGS);
});

test("make, the container and the command itself start Node with the flags", () => {
  expect(readFileSync("Makefile", "utf8")).toContain(
    `\t@node ${FLAGS} dist/scripts/hindsight.js serve\n`,
  );
  expect(readFileSync("deploy/Dockerfile", "utf8")).toContain(
    `ENTRYPOINT ["node", "${SERVER_NODE_FLAGS.join('", "')}", "dist/scripts/hindsight.js"]`,
  );
  const [shebang] = readFileSync("scripts/hindsight.ts", "utf8").split("\n");
  expect(shebang).toBe(`#!/usr/bin/env -S node ${FLAGS}`);
});
