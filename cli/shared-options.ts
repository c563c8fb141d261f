/** Options of several commands. This file imports only what reading a command line needs. */
import { statSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { addressFault, isRedisAddress } from "../accounts/redis/address.ts";
import { UsageError } from "./usage-error.ts";
import { lowerCase, notEmpty } from "./option-values.ts";

const DEFAULT_STATE = "state/hindsight.db";
/** The folder to which the pipeline publishes, and from which everything else reads, by default. */
export const DEFAULT_SNAPSHOTS = "snapshots/data";

const A_FILE = "the path of a file";
const A_FOLDER = "the path of a folder";
/** Also an address that lacks a slash, which would be the path of a file. */
const AN_ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|rediss?:)/i;
const A_STATE = "the path of a file or the address of a Redis, such as redis://127.0.0.1:6379";

/** An option that an environment variable can set too: HINDSIGHT_SHARE_PORT for `--share-port`. */
export function settable(flags: string, description: string): Option {
  const name = /^--([\w-]+)/.exec(flags)![1]!; // flags begin with a long name
  return new Option(flags, description).env(`HINDSIGHT_${name.toUpperCase().replaceAll("-", "_")}`);
}

/** An option that takes yes or no. Without a value it is yes. */
export function yesOrNo(flags: string, description: string, usual = "no"): Option {
  return settable(flags, description).choices(["yes", "no"]).preset("yes").default(usual);
}

export function snapshotsOption(): Option {
  return settable("--snapshots <dir>", "folder of published snapshots")
    .default(DEFAULT_SNAPSHOTS)
    .argParser(parseFolder);
}

export function stateOption(): Option {
  return settable(
    "--state <file|address>",
    "where accounts and usage are kept: a file, or redis://[user:password@]host[:port][/db]",
  )
    .default(DEFAULT_STATE)
    .argParser(parseState);
}

/** The same option for a command that needs a Redis. It has no default, because no address is obvious. */
export function redisStateOption(): Option {
  return settable(
    "--state <address>",
    "the Redis that the servers share: redis://[user:password@]host[:port][/db]",
  )
    .argParser(parseState)
    .makeOptionMandatory();
}

/** Tickers are lower-case; a person may type SOL. */
export function tickerOption(): Option {
  return settable("--coin <ticker>", "a coin of the dataset")
    .argParser(lowerCase)
    .makeOptionMandatory();
}

export function plansOption(): Option {
  return settable(
    "--plans <file>",
    "JSON file of plans, which add to the built-in ones or replace them by name",
  ).argParser(notEmpty(A_FILE));
}

export function jsonOption(): Option {
  return new Option("--json", "print JSON");
}

/** A folder that need not exist yet, but is not a file: to wait for something to appear in a file would never end. */
export function parseFolder(value: string): string {
  if (statSync(notEmpty(A_FOLDER)(value), { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new InvalidArgumentError(`"${value}" is a file, not a folder.`);
  }
  return value;
}

/** commander repeats a value that it refuses, and the address of a Redis may hold a password. */
function parseState(value: string): string {
  if (isRedisAddress(value)) {
    const fault = addressFault(value);
    if (fault !== undefined) throw new UsageError(`--state: ${fault}`);
    return value;
  }
  if (AN_ADDRESS.test(value)) throw new UsageError(`--state: allowed is ${A_STATE}`);
  return notEmpty(A_STATE)(value);
}
