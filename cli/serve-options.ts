import { Option } from "commander";
import type { MetricsOptions } from "../server/metrics/metrics-server.ts";
import { blockListOf } from "../server/requests/networks.ts";
import { UsageError } from "./usage-error.ts";
import { allowed, notEmpty, wholeNumber } from "./option-values.ts";
import { settable, yesOrNo } from "./shared-options.ts";

const PORT_MAX = 65_535;
/** More than any mail server sends. */
const LINKS_MAX = 1_000_000;
const TABLE_GIB_MAX = 1_000_000;
export const JOB_THREADS_MAX = 1024;
/** The port at which Prometheus exporters of applications are usually found. */
const METRICS_PORT = 9464;

/** Where a server listens. */
export function listenOptions(): Option[] {
  return [
    settable("--host <address>", "address to listen on")
      .default("127.0.0.1")
      .argParser(notEmpty("the address of an interface, such as 127.0.0.1 or 0.0.0.0")),
    settable("--port <port>", "port to listen on; 0 takes any free one")
      .default(8080)
      .argParser(wholeNumber(0, PORT_MAX)),
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

/** Options for how clients outside see the server. */
export function publicOptions(): Option[] {
  return [
    settable(
      "--public-url <url>",
      "where clients reach this server; links start with it",
    ).argParser(publicUrl),
    settable("--cors-origin <origin...>", "origins whose pages may read answers; * for any")
      .default([], "none")
      .argParser(added(origins)),
    settable(
      "--trusted-proxy <address...>",
      "addresses and subnets of proxies in front, whose X-Forwarded-For is believed",
    )
      .default([], "none")
      .argParser(added(proxies)),
    yesOrNo("--withhold-prices [yes|no]", "show and send no daily prices on pages and in tables"),
    settable("--table-gib-per-day <number>", "GiB of tables that an account may read in a UTC day")
      .default(4)
      .argParser(wholeNumber(1, TABLE_GIB_MAX)),
  ];
}

/** Options for the pages on which callers open accounts, and for links to pages of the operator. */
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
      "--links-per-hour <number>",
      "links by mail to all who have not signed in before (default: 200)",
    ).argParser(wholeNumber(1, LINKS_MAX)),
    settable(
      "--mail-from <address>",
      "sender of mails (default: hindsight@ and the public host)",
    ).argParser(
      allowed("is an address such as accounts@example.com", (text) =>
        /^[^\s@<>"]+@[^\s@<>"]+$/.test(text) ? text : undefined,
      ),
    ),
    pageOption("upgrade", "where an account gets another plan; its id is added as ?account="),
    pageOption("terms", "your terms, which every page links to"),
    pageOption("privacy", "how you treat personal data, the same"),
    pageOption("imprint", "who you are, the same"),
  ];
}

/** An option for the address of one of the operator's own pages. */
function pageOption(name: string, description: string): Option {
  return new Option(`--${name}-url <url>`, description)
    .env(`HINDSIGHT_${name.toUpperCase()}_URL`)
    .argParser(
      allowed("is an address such as https://example.com/terms", (text) => webAddress(text)?.href),
    );
}

/** commander repeats a value that it refuses, and the address may hold a password. */
function parseSmtp(value: string): string | undefined {
  const fault = value === "" ? undefined : smtpFault(value);
  if (fault !== undefined) throw new UsageError(`--smtp-url: ${fault}`);
  return value === "" ? undefined : value;
}

/** What is wrong with the address of a mail server; undefined if nothing is. */
export function smtpFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSmtp = url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
  if (isSmtp && url.search === "" && url.hash === "" && /^\/?$/.test(url.pathname))
    return undefined;
  return "allowed is smtp:// or smtps:// with [user:password@]host[:port]";
}

function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The option for the port on which Prometheus reads a process, for `metricsOf`. */
export function metricsPortOption(): Option {
  return settable(
    "--metrics-port <port>",
    `port of /metrics for Prometheus; 0 takes any free one, none turns them off (default: ${METRICS_PORT}, if it is free)`,
  ).argParser(
    allowed(`are whole numbers from 0 to ${PORT_MAX} and none`, (text) =>
      text === "none"
        ? text
        : /^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX
          ? Number(text)
          : undefined,
    ),
  );
}

export function metricsHostOption(): Option {
  return settable("--metrics-host <address>", "address /metrics listens on")
    .default("127.0.0.1")
    .argParser(notEmpty("the address of an interface, such as 127.0.0.1"));
}

export function backupsOption(): Option {
  return settable("--backups <dir>", "folder of backups, whose age is a metric");
}

export interface MetricsAsked {
  readonly metricsHost: string;
  /** Undefined if the option was not given. */
  readonly metricsPort?: number | "none";
}

/**
 * Where metrics are served, if they are. The default port is not required: the metrics of another server on this
 * machine may have it.
 */
export function metricsOf({ metricsHost, metricsPort }: MetricsAsked): MetricsOptions | undefined {
  if (metricsPort === "none") return undefined;
  const required = metricsPort !== undefined;
  return { host: metricsHost, port: metricsPort ?? METRICS_PORT, required };
}

/**
 * The address as a browser reads it, so that a trailing space does not end up in links. It has no trailing slash,
 * because paths are appended.
 */
const publicUrl = allowed("is an address such as https://api.example.com", (text) => {
  const url = webAddress(text);
  const isPlain = url?.href === `${url?.origin}${url?.pathname}`;
  return isPlain ? url?.href.replace(/\/+$/, "") : undefined;
});

/** The members of a list in one text, separated by spaces or commas, as an environment variable holds it. */
function listOf(value: string): string[] {
  return value.split(/[\s,]+/).filter((member) => member !== "");
}

const proxies = allowed(
  "are addresses and subnets such as 10.0.0.1, 10.0.0.0/8 and fd00::/8",
  (text) => {
    try {
      blockListOf(listOf(text));
      return listOf(text);
    } catch {
      return undefined;
    }
  },
);

const origins = allowed("are origins such as https://app.example.com, and *", (text) => {
  const isOrigin = (each: string) =>
    each === "*" || (URL.canParse(each) && new URL(each).origin === each);
  return listOf(text).every(isOrigin) ? listOf(text) : undefined;
});

/** A parser for an option that may be repeated, which adds to the earlier values. */
function added(parse: (text: string) => readonly string[]) {
  return (text: string, before: readonly string[]) => [...before, ...parse(text)];
}
