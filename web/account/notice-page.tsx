import type { VNode } from "preact";
import { Page, type PageSource } from "../layout.tsx";

export interface NoticeProps {
  readonly about: PageSource;
  readonly title: string;
  readonly sentences: readonly string[];
  /** The way on; to the account by default. */
  readonly onward?: readonly [label: string, path: string] | undefined;
}

/** What became of a form, or why nothing did. */
export function NoticePage({ about, title, sentences, onward }: NoticeProps): VNode {
  const [label, path] = onward ?? ["To the account page", "/account"];
  return (
    <Page title={title} description={title} path="/account" about={about}>
      <h1>{title}</h1>
      {sentences.map((sentence) => (
        <p key={sentence} class="lead">
          {sentence}
        </p>
      ))}
      <p>
        <a class="button" href={path}>
          {label}
        </a>
      </p>
    </Page>
  );
}
