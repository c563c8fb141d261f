/**
 * What stands for a machine of an operator: commands of a page run as printed, by bash, in a folder that stands for "/". The
 * table of `printed` is all that differs; `stand-ins.sh` has the commands that would change the machine. The mail server and
 * the exchange are local, the browser that opens an account is curl.
 */
import { spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { drawToken } from "../../accounts/access-tokens.ts";
import { endOf } from "../../scripts/support/child-processes.ts";
import { freePort } from "../../scripts/support/free-port.ts";
import { hiddenIn } from "../support/account-server.ts";
import { run } from "../support/deploy-tools.ts";
import { startExchange, type ExchangeServer } from "../support/exchange-server.ts";
import { isRunning } from "../support/is-running.ts";
import { MailBox } from "../support/mail-box.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

export const HOST = "hindsight.test";
export const WALK_MS = 45 * 60_000;
const DAY_MS = 86_400_000;
const STAND_INS = ["systemctl", "apt-get", "certbot", "nginx", "useradd", "runuser", "curl"];
const COINS = [
  { ticker: "btc", name: "Bitcoin", symbol: "BTC/USDT" },
  { ticker: "eth", name: "Ethereum", symbol: "ETH/USDT" },
];
const DAYS = 900;

export interface Section {
  readonly title: string;
  readonly blocks: readonly string[];
}

/** The commands of a page, by section. */
export function sectionsOf(page: string): readonly Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf("\n")),
      blocks: Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block ?? ""),
    }));
}

/** A machine to walk on: a folder, a repository, a mail server and an exchange. */
export class Walk {
  readonly root = temporaryFolder("walk");
  readonly ports: Readonly<Record<"http" | "https" | "server" | "metrics" | "alerts", number>>;
  readonly box: MailBox;
  readonly exchange: ExchangeServer;
  key = "";

  constructor(ports: Walk["ports"], box: MailBox, exchange: ExchangeServer) {
    this.ports = ports;
    this.box = box;
    this.exchange = exchange;
    const folders = [
      "etc/systemd/system",
      "usr/local/bin",
      "var/www/html",
      "var/log/nginx",
      "var/tmp",
    ];
    for (const folder of ["bin", "run", "repository", ...folders]) {
      mkdirSync(join(this.root, folder), { recursive: true });
    }
    for (const name of STAND_INS) {
      symlinkSync(resolve("test/deploy/stand-ins.sh"), join(this.root, "bin", name));
    }
    writeFileSync(join(this.root, "board.json"), JSON.stringify(COINS));
    // curl finds the host, and trusts the walk's authority alone.
    const found = `connect-to = "${HOST}:443:127.0.0.1:${ports.https}"`;
    writeFileSync(join(this.root, ".curlrc"), `${found}\ncacert = "${this.root}/ca.pem"\n`);
  }

  static async begin(): Promise<Walk> {
    const [box, exchange] = await Promise.all([MailBox.open(), startExchange()]);
    const yesterday = Math.floor(Date.now() / DAY_MS) - 1;
    const candle = (back: number) => ({
      day: yesterday - back,
      close: 100 + 30 * Math.sin(back / 40) + 5 * Math.sin(back / 3),
    });
    const candles = Array.from({ length: DAYS }, (_, index) => candle(DAYS - 1 - index));
    exchange.markets = { BTCUSDT: candles, ETHUSDT: candles };
    const [http, https, server] = [await freePort(), await freePort(), await freePort()];
    const ports = { http, https, server, metrics: await freePort(), alerts: await freePort() };
    return new Walk(ports, box, exchange);
  }

  /** What is printed, or in a file of deploy/, with the places of this walk. */
  printed(text: string): string {
    const { http, https, server, metrics, alerts } = this.ports;
    return text
      .replaceAll(/(?<![\w.])\/(opt|etc|var|usr\/local)(?=\/)/g, `${this.root}/$1`)
      .replaceAll("/usr/bin/node", process.execPath)
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${server}`)
      .replaceAll("127.0.0.1:9464", `127.0.0.1:${metrics}`)
      .replaceAll("127.0.0.1:9090", `127.0.0.1:${alerts}`)
      .replaceAll(/^ *listen \[::\].*\n/gm, "")
      .replaceAll("listen 80;", `listen 127.0.0.1:${http};`)
      .replaceAll("listen 443 ", `listen 127.0.0.1:${https} `);
  }

  /** What a reader fills in, too, and who root is here. */
  #filledIn(block: string): string {
    const { username, gid } = userInfo();
    const [backup = "none"] = this.#backups().toReversed();
    const { server, metrics } = this.ports;
    const own = [
      "HINDSIGHT_SOURCE=exchange:binance",
      `HINDSIGHT_EXCHANGE_URL=${this.exchange.url}`,
      `HINDSIGHT_BOARD=${this.root}/board.json`,
      `HINDSIGHT_PORT=${server}`,
      `HINDSIGHT_METRICS_PORT=${metrics}`,
    ];
    return this.printed(block)
      .replaceAll("git clone ADDRESS", `git clone ${this.root}/repository`)
      .replaceAll("api.example.com", HOST)
      .replaceAll("YOUR.HOST", HOST)
      .replaceAll("-o hindsight -g hindsight", `-o ${username} -g ${gid}`)
      .replaceAll("smtps://user:password@mail.example.com", this.box.url)
      .replaceAll("HINDSIGHT_SOURCE=exchange:binance", own.join("\n"))
      .replaceAll("20260101T033000Z", backup)
      .replaceAll("hs_live_...", this.key);
  }

  #backups(): readonly string[] {
    return run("ls", [join(this.root, "var/backups/hindsight")])
      .out.trim()
      .split("\n");
  }

  /** Runs commands of the page, and returns what they said. */
  async follow(block: string): Promise<string> {
    const commands = this.#filledIn(block);
    process.stderr.write(`\n${block}`);
    const { http, alerts } = this.ports;
    const path = `${this.root}/bin:${this.root}/usr/local/bin:${process.env["PATH"]}:/usr/sbin`;
    const own = { WALK: this.root, WALK_HTTP: `${http}`, WALK_PROMETHEUS: `${alerts}` };
    const env = { ...process.env, ...own, PATH: path, CURL_HOME: this.root };
    const child = spawn("bash", ["-euo", "pipefail", "-c", commands], { cwd: this.root, env });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    }
    const end = await endOf(child);
    appendFileSync(join(this.root, "said.log"), said);
    if (end !== 0) throw new Error(`ended with ${end}:\n${commands}\n${said}${this.#logs()}`);
    return said;
  }

  /** Publishes what is in this repository in the one that is cloned, and tags it. */
  publish(tag: string): void {
    const repository = join(this.root, "repository");
    for (const file of run("git", ["ls-files"]).out.trim().split("\n")) {
      const to = join(repository, file);
      cpSync(resolve(file), to);
      if (file.startsWith("deploy/")) writeFileSync(to, this.printed(readFileSync(to, "utf8")));
    }
    this.git("init", "--quiet");
    this.git("add", "--all", "--force");
    const walker = ["-c", "user.name=walk", "-c", "user.email=walk@example.com"];
    this.git(...walker, "commit", "--quiet", "--message", tag);
    if (tag !== "HEAD") this.git("tag", tag);
  }

  /** Runs git in the repository that is cloned. */
  git(...args: readonly string[]): string {
    const { status, said, out } = run("git", ["-C", join(this.root, "repository"), ...args]);
    if (status !== 0) throw new Error(said);
    return out;
  }

  /** Opens an account and makes a key, as a browser without scripts does. */
  async openAccount(): Promise<void> {
    const jar = `-b ${this.root}/cookies -c ${this.root}/cookies`;
    const ask = (path: string, fields: Record<string, string> = {}) => {
      const data = Object.entries(fields).map(
        ([name, value]) => `--data-urlencode '${name}=${value}'`,
      );
      const site = "-H 'Sec-Fetch-Site: same-origin'";
      return this.follow(`curl -fsS ${jar} ${site} ${data.join(" ")} 'https://${HOST}${path}'\n`);
    };
    await ask("/account/sign-in", { email: "ann@example.com", once: drawToken() });
    const link = new URL(await until(() => this.box.link));
    await ask("/account/link", hiddenIn(await ask(link.pathname + link.search)));
    const page = await ask("/account");
    const made = await ask("/account/keys", { ...hiddenIn(page), name: "first", env: "live" });
    [this.key = ""] = /hs_live_\w+/.exec(made) ?? [];
  }

  async version(): Promise<string> {
    const page = await fetch(`http://127.0.0.1:${this.ports.metrics}/metrics`);
    return /hindsight_build_info\{version="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  }

  #logs(): string {
    const logs = readdirSync(join(this.root, "run")).filter((name) => name.endsWith(".log"));
    return logs
      .map((name) => readFileSync(join(this.root, "run", name), "utf8").slice(-2000))
      .join("\n");
  }

  /** Ends what was started, by its id. */
  async end(): Promise<void> {
    const files = readdirSync(join(this.root, "run")).filter((name) => name.endsWith(".pid"));
    const pids = files.map((name) => Number(readFileSync(join(this.root, "run", name), "utf8")));
    for (const pid of pids.filter(isRunning)) process.kill(pid, "SIGTERM");
    await until(() => !pids.some(isRunning));
    await this.box.close();
  }
}
