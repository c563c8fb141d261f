import { Command, Option } from "commander";
import { startServer } from "../../server/main.ts";
import { LOG_LEVELS, type LogLevel } from "../../server/server-options.ts";
import { packageVersion } from "../package-version.ts";
import { notEmpty, plansOption, stateOption } from "./options.ts";
import {
  listenOptions,
  metricsOf,
  metricsOptions,
  publicOptions,
  type MetricsAsked,
} from "./serve-options.ts";

interface Options extends MetricsAsked {
  readonly host: string;
  readonly port: number;
  readonly sharePort: "yes" | "no";
  readonly snapshots: string;
  readonly state: string;
  readonly plans?: string;
  readonly publicUrl?: string;
  readonly corsOrigin: readonly string[];
  readonly logLevel: LogLevel;
}

/** The process ends this long after the signal, whatever still hangs; draining takes less. */
const EXIT_LIMIT_MS = 10_000;

/** `hindsight serve`. */
export function serveCommand(): Command {
  const command = new Command("serve").description("serve the published snapshot over HTTP");
  const options = [
    ...listenOptions(),
    new Option("--snapshots <dir>", "folder of published snapshots")
      .env("HINDSIGHT_SNAPSHOTS")
      .default("snapshots/data")
      .argParser(notEmpty("the path of a folder")),
    stateOption(),
    plansOption(),
    ...publicOptions(),
    ...metricsOptions(),
    new Option("--log-level <level>", "debug has one line for each request")
      .env("HINDSIGHT_LOG_LEVEL")
      .default("info")
      .choices(LOG_LEVELS),
  ];
  for (const option of options) command.addOption(option);
  return command.action(serve);
}

async function serve(asked: Options): Promise<void> {
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const { corsOrigin, metricsHost: _, metricsPort: __, sharePort, ...options } = asked;
  const server = await startServer({
    ...options,
    sharePort: sharePort === "yes",
    corsOrigins: corsOrigin,
    metrics: metricsOf(asked),
    version: packageVersion(),
  });
  console.log(`Serving on ${server.origin}: documentation at ${server.origin}/docs`);
  await signalled;
  setTimeout(() => process.exit(1), EXIT_LIMIT_MS).unref();
  await server.stop();
  process.exit(0);
}
