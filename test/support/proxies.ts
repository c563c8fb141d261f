import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request as requestHttps } from "node:https";
import { join } from "node:path";
import { endOf, watched, type End } from "../../scripts/support/child-processes.ts";
import { freePort } from "../../scripts/support/free-port.ts";
import { ownFolder } from "../../scripts/support/own-folder.ts";
import { run } from "./deploy-tools.ts";
import { untilItPasses } from "./until.ts";

export const HOST = "api.example.com";
const EC_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly server: number;
}

/** How a proxy of `deploy/` is started on ports and with files of a test. */
export interface ProxyKind {
  readonly tool: string;
  readonly check: (config: string) => readonly string[];
  readonly run: (config: string) => readonly string[];
  /** The text of the file in `deploy/`, changed in nothing but places. */
  readonly config: (folder: string, ports: Ports) => string;
}

export const NGINX: ProxyKind = {
  tool: "nginx",
  check: (config) => ["-t", "-c", config],
  run: (config) => ["-c", config],
  config(folder, ports) {
    const own = readFileSync("deploy/nginx.conf", "utf8")
      .replaceAll(/^ *listen \[::\].*\n/gm, "")
      .replaceAll("listen 80;", `listen 127.0.0.1:${ports.http};`)
      .replaceAll("listen 443 ", `listen 127.0.0.1:${ports.https} `)
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${ports.server}`)
      .replaceAll(`/etc/letsencrypt/live/${HOST}`, folder)
      .replaceAll("/var/log/nginx", `${folder}/log`);
    writeFileSync(join(folder, "hindsight.conf"), own);
    const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const paths = scratch.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
    const user = process.getuid?.() === 0 ? "user root;" : "";
    // One process, so that ending it ends all.
    return `daemon off; master_process off; ${user} pid ${folder}/pid; error_log ${folder}/log/main.log;
      events {} http { ${paths} include ${folder}/hindsight.conf; }`;
  },
};

export const CADDY: ProxyKind = {
  tool: "caddy",
  check: (config) => ["validate", "--config", config, "--adapter", "caddyfile"],
  run: (config) => ["run", "--config", config, "--adapter", "caddyfile"],
  config: (folder, ports) =>
    readFileSync("deploy/Caddyfile", "utf8")
      .replace(/^\{\n/m, `{\nadmin off\nhttp_port ${ports.http}\nhttps_port ${ports.https}\n`)
      .replace(
        `\n{$SITE:${HOST}} {\n`,
        `\n{$SITE:${HOST}} {\nbind 127.0.0.1\ntls ${folder}/fullchain.pem ${folder}/privkey.pem\n`,
      )
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${ports.server}`)
      .replaceAll("/var/log/caddy", `${folder}/log`)
      .replaceAll("output stderr", `output file ${folder}/log/main.log`),
};

/** A proxy in front of a server, with a certificate of an authority of its own. */
export class ProxyOfTests {
  readonly folder: string;
  readonly ports: Ports;
  readonly #child: ChildProcess;
  readonly #ended: Promise<End>;
  readonly #ca: string;

  private constructor(kind: ProxyKind, ports: Ports, folder: string) {
    this.folder = folder;
    this.ports = ports;
    this.#ca = certify(folder);
    const config = join(folder, "config");
    mkdirSync(join(folder, "log"));
    writeFileSync(config, kind.config(folder, ports));
    const checked = run(kind.tool, kind.check(config));
    if (checked.status !== 0) throw new Error(checked.said);
    const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    this.#child = watched(spawn(kind.tool, kind.run(config), { stdio: "ignore", env }));
    this.#ended = endOf(this.#child);
  }

  static async start(kind: ProxyKind, server: number): Promise<ProxyOfTests> {
    const ports = { http: await freePort(), https: await freePort(), server };
    const proxy = new ProxyOfTests(kind, ports, ownFolder(kind.tool));
    await untilItPasses(() => proxy.ask("/v1/strategies"));
    return proxy;
  }

  /** Sends a request over TLS, and trusts only the authority of the test. */
  ask(path: string, options: Asked = {}, body: string | Buffer = ""): Promise<Answer> {
    const where = { host: "127.0.0.1", port: this.ports.https, servername: HOST, ca: this.#ca };
    const headers = { host: HOST, ...options.headers };
    return new Promise((resolve, reject) => {
      const asked = requestHttps({ ...where, ...options, path, headers }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
        );
      });
      asked.on("error", reject).end(body);
    });
  }

  async close(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#ended;
  }
}

/** Writes an authority and a certificate of it for the host; returns the authority's. */
function certify(folder: string): string {
  const [ca, caKey] = [join(folder, "ca.pem"), join(folder, "ca.key")];
  const own = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const by = ["-CA", ca, "-CAkey", caKey, "-addext", `subjectAltName=DNS:${HOST}`];
  const made = [
    ["req", "-x509", ...EC_KEY, "-subj", "/CN=Authority", "-keyout", caKey, "-out", ca],
    ["req", "-x509", ...EC_KEY, "-subj", `/CN=${HOST}`, ...by, ...own],
  ].map((args) => run("openssl", args));
  for (const { status, said } of made) if (status !== 0) throw new Error(said);
  return readFileSync(ca, "utf8");
}
