// Asks for metrics for the first time while no file can be opened, and again when it can; prints what came of it.
import { closeSync, openSync } from "node:fs";

const metrics = (file) => import(new URL(`../../dist/server/metrics/${file}.js`, import.meta.url));
const { ProcessRegistry } = await metrics("process-registry");
const registry = new ProcessRegistry({ version: "1.2.3" });
const scrape = async () => {
  const text = await registry.text();
  return text.includes('hindsight_build_info{version="1.2.3"} 1') ? "told" : text;
};

const files = [];
try {
  for (;;) files.push(openSync("/dev/null"));
} catch {
  // all are taken
}
const first = await scrape().catch(() => "refused");
for (const file of files) closeSync(file);
process.stdout.write(`${first} ${await scrape()}\n`);
