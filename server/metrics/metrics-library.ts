import { createRequire } from "node:module";
import type * as Prometheus from "prom-client";

const load = createRequire(import.meta.url);

/**
 * prom-client, loaded when somebody asks for it first, so that a server's start does not wait for it. With `require`,
 * which tries again after a failure: Node 20's `import()` gives the same failure for as long as the process lives, and a
 * first scrape may come while no file can be opened.
 */
export function metricsLibrary(): typeof Prometheus {
  return load("prom-client") as typeof Prometheus;
}
