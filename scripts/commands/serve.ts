import { Command, InvalidArgumentError, Option } from "commander";
import type { LogLevel } from "../../server/main.ts";
import { LOG_LEVELS, startServer } from "../../server/main.ts";
import { notEmpty, plansOption, stateOption } from "./options.ts";

interface Options {
  readonly host: string;
  readonly port: number;
  readonly snapshots: string;
  readonly state: string;
  readonly plans?: string;
  readonly publicUrl?: string;
  readonly corsOrigin: readonly string[];
  readonly logLevel: LogLevel;
}

const PORT_MAX = 65_535;
/** The process ends this long after the signal, whatever still hangs; draining takes less. */
const EXIT_LIMIT_MS = 10_000;

/** `hindsight serve`. */
export function serveCommand(): Command {
  return new Command("serve")
    .description("serve the published snapshot over HTTP")
    .addOption(
      new Option("--host <address>", "address to listen on")
        .env("HINDSIGHT_HOST")
        .default("127.0.0.1")
        .argParser(notEmpty("the address of an interface, such as 127.0.0.1 or 0.0.0.0")),
    )
    .addOption(
      new Option("--port <port>", "port to listen on; 0 takes any free one")
        .env("HINDSIGHT_PORT")
        .default(8080)
        .argParser(parsePort),
    )
    .addOption(
      new Option("--snapshots <dir>", "folder of published snapshots")
        .env("HINDSIGHT_SNAPSHOTS")
        .default("snapshots/data")
        .argParser(notEmpty("the path of a folder")),
    )
    .addOption(stateOption())
    .addOption(plansOption())
    .addOption(
      new Option("--public-url <url>", "where clients reach this server; links start with it")
        .env("HINDSIGHT_PUBLIC_URL")
        .argParser(parsePublicUrl),
    )
    .addOption(
      new Option("--cors-origin <origin...>", "origins whose pages may read answers; * for any")
        .env("HINDSIGHT_CORS_ORIGIN")
        .default([], "none")
        .argParser(parseOrigins),
    )
    .addOption(
      new Option("--log-level <level>", "debug has one line for each request")
        .env("HINDSIGHT_LOG_LEVEL")
        .default("info")
        .choices(LOG_LEVELS),
    )
    .action(serve);
}

async function serve({ corsOrigin, ...options }: Options): Promise<void> {
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const server = await startServer({ ...options, corsOrigins: corsOrigin });
  console.log(`Serving on ${server.origin}: documentation at ${server.origin}/docs`);
  await signalled;
  setTimeout(() => process.exit(1), EXIT_LIMIT_MS).unref();
  await server.stop();
  process.exit(0);
}

function parsePort(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > PORT_MAX) {
    throw new InvalidArgumentError("Allowed are whole numbers from 0 to 65535.");
  }
  return port;
}

/** Without a slash at the end: paths are put behind it. */
function parsePublicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const plain = url !== undefined && url.search === "" && url.hash === "" && url.username === "";
  if (url === undefined || !plain || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError("Allowed is an address such as https://api.example.com.");
  }
  return value.replace(/\/+$/, "");
}

/** Repeated, or as one text with spaces or commas, which is how an environment variable holds a list. */
function parseOrigins(value: string, before: readonly string[]): string[] {
  const origins = value.split(/[\s,]+/).filter((origin) => origin !== "");
  for (const origin of origins) {
    const known = URL.canParse(origin) ? new URL(origin).origin : undefined;
    if (origin !== "*" && origin !== known) {
      throw new InvalidArgumentError("Allowed are origins such as https://app.example.com, and *.");
    }
  }
  return [...before, ...origins];
}
