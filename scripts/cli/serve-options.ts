import { InvalidArgumentError, Option } from "commander";
import type { MetricsOptions } from "../../server/metrics/metrics-server.ts";
import { blockListOf } from "../../server/requests/networks.ts";
import { smtpFault } from "./smtp-address.ts";
import { UsageError } from "../support/usage-error.ts";
import { notEmpty, settable, yesOrNo } from "./shared-options.ts";

const PORT_MAX = 65_535;
export const JOB_THREADS_MAX = 1024;
/** Where Prometheus exporters of applications are usually found. */
const METRICS_PORT = 9464;

/** Where a server listens. */
export function listenOptions(): Option[] {
  return [
    settable("--host <address>", "address to listen on")
      .default("127.0.0.1")
      .argParser(notEmpty("the address of an interface, such as 127.0.0.1 or 0.0.0.0")),
    settable("--port <port>", "port to listen on; 0 takes any free one")
      .default(8080)
      .argParser((value) => parsePort(value)),
    yesOrNo(
      "--share-port [yes|no]",
      "share the port with other processes that have this option too",
    ),
    yesOrNo(
      "--proxy-protocol [yes|no]",
      "take PROXY v2 preambles, which a proxy in front sends; refused otherwise",
    ),
  ];
}

export function jobThreadsOption(): Option {
  return settable(
    "--job-threads <number>",
    "backtests run at once, in a process of their own; 0 leaves them to others (default: one per core)",
  ).argParser(wholeNumber(0, JOB_THREADS_MAX));
}

/** How the server is seen from outside. */
export function publicOptions(): Option[] {
  return [
    settable(
      "--public-url <url>",
      "where clients reach this server; links start with it",
    ).argParser(parsePublicUrl),
    settable("--cors-origin <origin...>", "origins whose pages may read answers; * for any")
      .default([], "none")
      .argParser(parseOrigins),
    settable(
      "--trusted-proxy <address...>",
      "addresses and subnets of proxies in front, whose X-Forwarded-For is believed",
    )
      .default([], "none")
      .argParser(parseProxies),
    yesOrNo("--withhold-prices [yes|no]", "show and send no daily prices on pages"),
  ];
}

/** The pages on which callers open accounts, and what else is the operator's on pages. */
export function accountOptions(): Option[] {
  return [
    yesOrNo(
      "--accounts-page [yes|no]",
      "let callers open accounts and make keys on /account; on the machine's own address, or with https and a mail server",
      "yes",
    ),
    new Option("--no-accounts-page", "the same as --accounts-page no"),
    settable("--signup <open|closed>", "whether an address without an account opens one")
      .choices(["open", "closed"])
      .default("open"),
    settable(
      "--smtp-url <url>",
      "mail server for links: smtp:// or smtps://[user:password@]host[:port]; best in the variable",
    ).argParser(parseSmtp),
    settable(
      "--mail-from <address>",
      "sender of mails (default: hindsight@ and the public host)",
    ).argParser(parseSender),
    pageOption("upgrade", "where an account gets another plan; its id is added as ?account="),
    pageOption("terms", "your terms, which every page links to"),
    pageOption("privacy", "how you treat personal data, the same"),
    pageOption("imprint", "who you are, the same"),
  ];
}

/** The address of a page of the operator's. */
function pageOption(name: string, description: string): Option {
  return new Option(`--${name}-url <url>`, description)
    .env(`HINDSIGHT_${name.toUpperCase()}_URL`)
    .argParser(parsePage);
}

/** commander repeats a value that it refuses, and the address may hold a password. */
function parseSmtp(value: string): string | undefined {
  const fault = value === "" ? undefined : smtpFault(value);
  if (fault !== undefined) throw new UsageError(`--smtp-url: ${fault}`);
  return value === "" ? undefined : value;
}

function parseSender(value: string): string {
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(value)) return value;
  throw new InvalidArgumentError("Allowed is an address such as accounts@example.com.");
}

function parsePage(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.href;
  throw new InvalidArgumentError("Allowed is an address such as https://example.com/terms.");
}

/** The port Prometheus reads a process on, for `metricsOf`. */
export function metricsPortOption(): Option {
  return settable(
    "--metrics-port <port>",
    `port of /metrics for Prometheus; 0 takes any free one, none turns them off (default: ${METRICS_PORT}, if it is free)`,
  ).argParser((value) => (value === "none" ? value : parsePort(value, " and none")));
}

export function metricsHostOption(): Option {
  return settable("--metrics-host <address>", "address /metrics listens on")
    .default("127.0.0.1")
    .argParser(notEmpty("the address of an interface, such as 127.0.0.1"));
}

export interface MetricsAsked {
  readonly metricsHost: string;
  /** Undefined if the option was not given. */
  readonly metricsPort?: number | "none";
}

/** The default port may be taken, most likely by the metrics of another server on this machine. */
export function metricsOf({ metricsHost, metricsPort }: MetricsAsked): MetricsOptions | undefined {
  if (metricsPort === "none") return undefined;
  const required = metricsPort !== undefined;
  return { host: metricsHost, port: metricsPort ?? METRICS_PORT, required };
}

/** A parser of whole numbers within these bounds. */
export function wholeNumber(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d{1,4}$/.test(value) || number < min || number > max) {
      throw new InvalidArgumentError(`Allowed are whole numbers from ${min} to ${max}.`);
    }
    return number;
  };
}

function parsePort(value: string, besides = ""): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > PORT_MAX) {
    throw new InvalidArgumentError(`Allowed are whole numbers from 0 to 65535${besides}.`);
  }
  return port;
}

/**
 * The address as a browser would read it, so that a trailing space does not end up in links; without a
 * trailing slash, because paths are appended.
 */
function parsePublicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const plain = url !== undefined && url.href === `${url.origin}${url.pathname}`;
  if (!plain || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError("Allowed is an address such as https://api.example.com.");
  }
  return url.href.replace(/\/+$/, "");
}

/**
 * An option that may be repeated, or be one text with spaces or commas, which is how an environment variable
 * holds a list.
 */
function listOf(value: string): string[] {
  return value.split(/[\s,]+/).filter((member) => member !== "");
}

function parseProxies(value: string, before: readonly string[]): string[] {
  const proxies = listOf(value);
  try {
    blockListOf(proxies);
  } catch {
    throw new InvalidArgumentError(
      "Allowed are addresses and subnets such as 10.0.0.1, 10.0.0.0/8 and fd00::/8.",
    );
  }
  return [...before, ...proxies];
}

function parseOrigins(value: string, before: readonly string[]): string[] {
  const origins = listOf(value);
  for (const origin of origins) {
    const known = URL.canParse(origin) ? new URL(origin).origin : undefined;
    if (origin !== "*" && origin !== known) {
      throw new InvalidArgumentError("Allowed are origins such as https://app.example.com, and *.");
    }
  }
  return [...before, ...origins];
}
