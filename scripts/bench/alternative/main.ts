/**
 * What one would otherwise build: the same answers from Fastify and DuckDB. `servers.ts` starts it for the benchmark.
 *
 *   node dist/scripts/bench/alternative/main.js '{"snapshot": "DIR", "state": "FILE"}'
 */
import { openSnapshot } from "../../../snapshots/reader.ts";
import { Answers } from "./answers.ts";
import { makeApp } from "./app.ts";
import { SnapshotDatabase } from "./database.ts";
import { KeyStore } from "./key-store.ts";
import { scriptArgument } from "../../support/script-options.ts";

const { snapshot, state } = JSON.parse(scriptArgument(import.meta.url)) as {
  snapshot: string;
  state: string;
};
const answers = new Answers(await SnapshotDatabase.open(snapshot), await openSnapshot(snapshot));
const app = makeApp({ answers, keys: new KeyStore(state), nowMs: Date.now });
process.once("SIGTERM", () => process.exit(0));
console.log(`Serving on ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
