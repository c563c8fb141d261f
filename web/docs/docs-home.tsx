import type { VNode } from "preact";
import { door } from "../layout.tsx";
import { DocsLayout, type ContentsGroup, type DocsLayoutProps } from "./docs-layout.tsx";

interface DocsHomeProps extends Pick<DocsLayoutProps, "description" | "path" | "frame"> {
  readonly groups: readonly ContentsGroup[];
}

/** `/docs`: three ways in, and every page with what it is for. */
export function docsHome({ groups, ...page }: DocsHomeProps): VNode {
  return (
    <DocsLayout title="Documentation" {...page}>
      <h1>Documentation</h1>
      <p class="lead">
        How to check a backtest, call the API, use the data files and run a server of your own, and
        how every number is computed.
      </p>
      <div class="doors">
        {door(
          "/docs/check",
          "Check a backtest",
          "The file that your tool wrote, and how much of its result may be luck",
        )}
        {door(
          "/docs/api",
          "Call the API",
          "Every endpoint, with a form that sends the request with your key",
        )}
        {door(
          "/docs/run",
          "Run your own",
          "From a fresh machine to a nightly pipeline and a server behind TLS",
        )}
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
