import type { VNode } from "preact";
import { Page, type PageSource } from "../layout.tsx";

/** What a browser is shown in place of a page that cannot be. */
export interface Problem {
  readonly title: string;
  readonly sentence: string;
  /** The address that was probably meant. */
  readonly meant?: string | undefined;
}

export function ProblemPage({
  problem: { title, sentence, meant },
  about,
}: {
  readonly problem: Problem;
  readonly about: PageSource;
}): VNode {
  return (
    <Page title={title} description={sentence} path="" about={about}>
      <h1>{title}</h1>
      <p class="lead">{sentence}</p>
      {meant !== undefined && (
        <p>
          Did you mean <a href={meant}>{meant}</a>?
        </p>
      )}
      <div class="doors">
        <a class="card" href="/">
          <b>Home</b>
          <span>How much of a good backtest is luck, in one picture</span>
        </a>
        <a class="card" href="/check">
          <b>Check my backtest</b>
          <span>What luck alone would show after as many tries as yours</span>
        </a>
        <a class="card" href="/docs">
          <b>Documentation</b>
          <span>The API, the data files, the methods, and a search through all of it</span>
        </a>
      </div>
    </Page>
  );
}
