import type { VNode } from "preact";
import { daysInMonth } from "../../quant/calendar.ts";
import { decimal } from "../format.ts";
import { Page, type PageSource } from "../layout.tsx";
import { Table } from "../table.tsx";
import type { AccountData, AllowanceRow } from "./account-data.ts";
import { CallsFigure } from "./calls-chart.tsx";
import { KeysSection, ShownKeyCard } from "./keys-section.tsx";
import { counted, dayOf, daysLeft, minuteOf, resetText } from "./words.ts";

/** `/account` for a signed-in browser. */
export function AccountPage({
  about,
  data,
}: {
  readonly about: PageSource;
  readonly data: AccountData;
}): VNode {
  const { account, shown } = data;
  return (
    <Page
      title="Your account"
      description="Your plan, your use and your keys."
      path="/account"
      about={about}
      scripts={["account"]}
    >
      <div class="account-head">
        <div>
          <h1>Your account</h1>
          <p class="lead">{account.email}</p>
        </div>
        <form method="post" action="/account/sessions/end">
          <button type="submit" class="quiet" name="session" value={data.session}>
            Sign out
          </button>
        </form>
      </div>
      {shown !== undefined && <ShownKeyCard shown={shown} data={data} />}
      <PlanSection data={data} />
      <KeysSection data={data} />
      <section aria-label="Use">
        <h2>Use</h2>
        <CallsFigure rows={data.calls} days={daysOfMonth(data.nowMs)} />
      </section>
      <JobsSection jobs={data.jobs} />
      <SessionsSection data={data} />
      <LeaveSection data={data} />
    </Page>
  );
}

function PlanSection({ data }: { readonly data: AccountData }): VNode {
  const { account, plan, allowances, rateUsed, upgradeUrl, nowMs } = data;
  const { trialEndsMs } = account;
  const price = plan.priceUsd === null ? "free" : `$${plan.priceUsd} a month`;
  const upgrade =
    upgradeUrl && `${upgradeUrl}${upgradeUrl.includes("?") ? "&" : "?"}account=${account.id}`;
  const rate = {
    title: "Calls in the last minute",
    used: rateUsed,
    limit: plan.ratePerMinute,
    note: "each call counts for 60 seconds",
  };
  return (
    <section aria-label="Plan">
      <h2>
        Plan <span class="plan-name">{plan.name}</span>
      </h2>
      <p>
        {trialEndsMs === null
          ? `It is ${price}.`
          : `It is free, and ends in ${counted(daysLeft(trialEndsMs, nowMs), "day")}, on ${dayOf(trialEndsMs)}; then the plan is "free".`}{" "}
        {plan.backtestUnits === null
          ? "It has no backtests."
          : `A backtest costs ${counted(plan.backtestUnits, "call")}; ${counted(plan.concurrentRuns ?? 0, "run")} at a time.`}{" "}
        <a href="/docs/api/limits-and-charges">All plans</a>
      </p>
      <div class="meters">
        {allowances.map((allowance) => (
          <Meter key={allowance.env} {...meterOf(allowance)} />
        ))}
        <Meter {...rate} />
      </div>
      {upgrade !== undefined && (
        <p>
          <a class="button" href={upgrade}>
            Change the plan
          </a>
        </p>
      )}
    </section>
  );
}

interface MeterProps {
  readonly title: string;
  readonly used: number;
  readonly limit: number;
  readonly note: string;
}

function meterOf(allowance: AllowanceRow): MeterProps {
  const { env, used, limit } = allowance;
  const title = env === "live" ? "Calls with live keys" : "Calls with test keys";
  return { title, used, limit, note: resetText(allowance) };
}

function Meter({ title, used, limit, note }: MeterProps): VNode {
  return (
    <label class="tile meter">
      <span>{title}</span>
      <b>
        {decimal(used, 0)} <span>of {decimal(limit, 0)}</span>
      </b>
      <progress value={Math.min(used, limit)} max={limit} />
      <span class="detail">{note}</span>
    </label>
  );
}

const STATUS = { queued: "waiting", running: "running", done: "done", error: "failed" } as const;

function JobsSection({ jobs }: Pick<AccountData, "jobs">): VNode {
  const statuses = Object.entries(STATUS)
    .map(([status, word]) => [word, jobs.filter((job) => job.status === status).length] as const)
    .filter(([, found]) => found > 0)
    .map(([word, found]) => `${decimal(found, 0)} ${word}`);
  return (
    <section aria-label="Jobs">
      <h2>Backtests</h2>
      {jobs.length === 0 ? (
        <p>
          None in the last 30 days. <a href="/docs/api/post-backtests">How to run one</a>
        </p>
      ) : (
        <>
          <p>
            The newest {decimal(jobs.length, 0)}: {statuses.join(", ")}.
          </p>
          <Table
            label="Backtests"
            rows={jobs}
            columns={[
              { name: "job", cell: ({ id }) => <code>{id}</code> },
              {
                name: "what",
                isText: true,
                cell: ({ request }) => `${request.strategy} on ${request.coin}`,
              },
              {
                name: "status",
                isText: true,
                cell: ({ status, errorCode }) =>
                  STATUS[status] + (errorCode ? `: ${errorCode}` : ""),
              },
              { name: "accepted", cell: ({ createdMs }) => minuteOf(createdMs) },
            ]}
          />
        </>
      )}
    </section>
  );
}

function SessionsSection({ data }: { readonly data: AccountData }): VNode {
  return (
    <section aria-label="Browsers">
      <h2>Browsers that are signed in</h2>
      <Table
        label="Browsers that are signed in"
        rows={data.sessions}
        columns={[
          {
            name: "browser",
            cell: ({ device, hash }) => device + (hash === data.session ? ", this one" : ""),
          },
          {
            name: "",
            isText: true,
            cell: ({ device, hash }) => <EndSession device={device} hash={hash} />,
          },
          { name: "since", isText: true, cell: ({ createdMs }) => dayOf(createdMs) },
          { name: "last used", isText: true, cell: ({ lastDay }) => lastDay },
        ]}
      />
      <form method="post" action="/account/sessions/end" class="everywhere">
        <button type="submit" class="quiet" name="session" value="all">
          Sign out everywhere
        </button>
      </form>
    </section>
  );
}

function EndSession({ device, hash }: { readonly device: string; readonly hash: string }): VNode {
  return (
    <form method="post" action="/account/sessions/end" class="inline">
      <button
        type="submit"
        class="quiet small"
        name="session"
        value={hash}
        aria-label={`Sign out ${device}`}
      >
        Sign out
      </button>
    </form>
  );
}

function LeaveSection({ data: { once, account } }: { readonly data: AccountData }): VNode {
  return (
    <section aria-label="Address and deletion">
      <h2>Address and deletion</h2>
      <div class="two even">
        <form class="card" method="post" action="/account/address">
          <h3>Another address</h3>
          <label class="field">
            New e-mail address
            <input type="email" name="email" required autocomplete="email" maxLength={254} />
          </label>
          <input type="hidden" name="once" value={once} />
          <button type="submit">Send a link there</button>
          <p class="hint">The link makes it yours, and {account.email} gets a mail.</p>
        </form>
        <form class="card" method="post" action="/account/delete">
          <h3>Delete the account</h3>
          <p>
            The address, keys, sessions, jobs and results are deleted at once, and so is your usage,
            except for sums by plan and month that name no one.
          </p>
          <p>
            What is kept: a hash of the address for 30 days, so that an account opened again
            continues its trial, and the list of changes for a year, with the account's id and no
            address.
          </p>
          <input type="hidden" name="once" value={once} />
          <button type="submit" class="danger">
            Send me a link that deletes it
          </button>
        </form>
      </div>
      <p class="hint">
        Your account's id is <code>{account.id}</code>: name it when you write to the operator.
      </p>
    </section>
  );
}

/** Every UTC day of the month of an instant. */
function daysOfMonth(nowMs: number): readonly string[] {
  const month = dayOf(nowMs).slice(0, "YYYY-MM-".length);
  const days = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5, 7)));
  return Array.from({ length: days }, (_, day) => month + String(day + 1).padStart(2, "0"));
}
