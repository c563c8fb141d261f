import type { VNode } from "preact";
import { door, Page, type PageSource } from "../layout.tsx";

/** Shown in a browser in place of a page that does not exist or failed. */
export interface Problem {
  readonly title: string;
  readonly sentence: string;
  /** The address that was probably meant. */
  readonly meant?: string | undefined;
}

export function problemPage(props: {
  readonly problem: Problem;
  readonly about: PageSource;
}): VNode {
  const { title, sentence, meant } = props.problem;
  return (
    <Page title={title} description={sentence} path="" about={props.about}>
      <h1>{title}</h1>
      <p class="lead">{sentence}</p>
      {meant !== undefined && (
        <p>
          Did you mean <a href={meant}>{meant}</a>?
        </p>
      )}
      <div class="doors">
        {door("/", "Home", "How much of a good backtest is luck, in one picture")}
        {door(
          "/check",
          "Check my backtest",
          "How often luck would do as well as the file your tool wrote",
        )}
        {door(
          "/docs",
          "Documentation",
          "The API, the data files, the methods, and a search through all of it",
        )}
      </div>
    </Page>
  );
}
