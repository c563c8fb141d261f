import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { endOf } from "../../scripts/support/child-processes.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { run } from "../support/deploy-tools.ts";
import { MailBox } from "../support/mail-box.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What an operator has in place of "/". */
let root: string;

function file(name: string, text: string, mode = 0o644): string {
  const path = join(root, name);
  mkdirSync(resolve(path, ".."), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe("the command that is installed", () => {
  beforeEach(() => {
    root = temporaryFolder("installed");
    const text = readFileSync("deploy/hindsight", "utf8").replaceAll(
      /\/(opt|etc)(?=\/)/g,
      `${root}/$1`,
    );
    file("bin/hindsight", text, 0o755);
    file("bin/runuser", '#!/bin/sh\necho "$1 $2" >&2\nshift 3\nexec "$@"\n', 0o755);
    file("opt/hindsight/deploy/restore.sh", '#!/bin/sh\necho "$HINDSIGHT_STATE $*"\n', 0o755);
    file(
      "opt/hindsight/dist/scripts/hindsight.js",
      `import(${JSON.stringify(resolve(HINDSIGHT))});`,
    );
  });

  function hindsight(...args: readonly string[]) {
    return run(join(root, "bin/hindsight"), args, { PATH: `${root}/bin:${process.env["PATH"]}` });
  }

  test("has the settings of the services, as their user and in their folder", () => {
    const settings = [
      "# a comment",
      "; another",
      "",
      'HINDSIGHT_STATE="state/a $HOME `b` #c.db"',
      "HINDSIGHT_PLAN=scale ",
      "  HINDSIGHT_EMAIL='ann@example.com'",
      "not-a-name=1",
      "HINDSIGHT_MAIL_FROM=last@example.com",
    ];
    file("etc/hindsight.env", settings.join("\n"), 0o600);
    const made = hindsight("accounts", "create", "--json");
    expect(JSON.parse(made.out)).toMatchObject({ plan: "scale" });
    expect(made.said).toContain("-u hindsight");
    const state = join(root, "opt/hindsight/state/a $HOME `b` #c.db");
    expect(run("node", [HINDSIGHT, "accounts", "list", "--state", state]).out).toContain("ann@");
    expect(hindsight("restore", "one", "two").out).toBe("state/a $HOME `b` #c.db one two\n");
  });

  test("ends as the program does, and needs no settings", () => {
    const { status, said } = hindsight("accounts", "list");
    expect(said).toContain('there is no state file at "state/hindsight.db"');
    expect(status).toBe(1);
    expect(hindsight("acounts").status).toBe(2);
  });
});

test("every setting of a service is in the example, with the program's default", () => {
  const text = readFileSync("deploy/hindsight.env.example", "utf8");
  const named = new Map(
    Array.from(text.matchAll(/^#(HINDSIGHT_\w+)=(.+)$/gm), ([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  const help = ["serve", "work", "pipeline"]
    .map((name) => run("node", [HINDSIGHT, name, "--help"]).out.replaceAll(/\s+/g, " "))
    .join("");
  const scripts = ["backup", "failed"]
    .map((name) => readFileSync(`deploy/${name}.sh`, "utf8"))
    .join("");
  const settable = new Set(
    [
      ...help.matchAll(/env: (HINDSIGHT_\w+)/g),
      ...scripts.matchAll(/^# {3}.*?(HINDSIGHT_\w+)/gm),
    ].map(([, name]) => name),
  );
  for (const ofOneRun of ["HINDSIGHT_AS_OF", "HINDSIGHT_PROGRESS"]) settable.delete(ofOneRun);
  expect(new Set(named.keys())).toEqual(settable);
  const defaults = Array.from(
    help.matchAll(/default: "?([\w./]+)"?,(?: preset: "yes",)? env: (HINDSIGHT_\w+)/g),
    ([, value = "", name = ""]) => [name, value] as const,
  ).filter(([, value]) => value !== "none");
  expect(defaults.length).toBeGreaterThan(10);
  expect(defaults.filter(([name, value]) => named.get(name) !== value)).toEqual([]);
});

describe("a failure that is told", () => {
  async function failed(env: Record<string, string>) {
    const child = spawn("deploy/failed.sh", ["hindsight-backup"], {
      env: { ...process.env, ...env },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    return { end: await endOf(child), said };
  }

  test("is a mail, once there is an address", async () => {
    const box = await MailBox.open();
    onTestFinished(() => box.close());
    expect(await failed({ HINDSIGHT_SMTP_URL: box.url })).toMatchObject({ end: 0 });
    expect(box.mails).toEqual([]);
    const env = { HINDSIGHT_SMTP_URL: box.url, HINDSIGHT_ALERT_MAIL: "you@example.com" };
    const { end, said } = await failed(env);
    expect(said).toContain("hindsight-backup failed on ");
    expect(end).toBe(0);
    expect(box.mails).toMatchObject([{ to: "you@example.com", from: "you@example.com" }]);
    expect(box.mails[0]?.raw).toMatch(
      /Subject: hindsight-backup failed\r\n[^]*journalctl -u hindsight-backup/,
    );
    box.behaviour = "refuses";
    expect((await failed(env)).end).not.toBe(0);
  });
});
