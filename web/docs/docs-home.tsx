import type { VNode } from "preact";
import { DocsLayout, type ContentsGroup, type DocsFrame } from "./docs-layout.tsx";

/** `/docs`: three ways in, and every page with what it is for. */
export function DocsHome({
  description,
  path,
  frame,
  groups,
}: {
  readonly description: string;
  readonly path: string;
  readonly frame: DocsFrame;
  readonly groups: readonly ContentsGroup[];
}): VNode {
  return (
    <DocsLayout title="Documentation" description={description} path={path} frame={frame}>
      <h1>Documentation</h1>
      <p class="lead">
        How to check a backtest, call the API, use the data files and run a server of your own, and
        how every number is computed.
      </p>
      <div class="doors">
        <a class="card" href="/docs/check">
          <b>Check a backtest</b>
          <span>The file that your tool wrote, and how much of its result may be luck</span>
        </a>
        <a class="card" href="/docs/api">
          <b>Call the API</b>
          <span>Every endpoint, with a form that sends the request with your key</span>
        </a>
        <a class="card" href="/docs/run">
          <b>Run your own</b>
          <span>From a fresh machine to a nightly pipeline and a server behind TLS</span>
        </a>
      </div>
      <div class="groups">
        {groups.map(({ title, links }) => (
          <div key={title}>
            <h2>{title}</h2>
            <dl>
              {links.map(({ path: to, label, note }) => (
                <div key={to}>
                  <dt>
                    <a href={to}>{label}</a>
                  </dt>
                  <dd>{note}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </DocsLayout>
  );
}
