import type { VNode } from "preact";
import { Page, type PageSource } from "../layout.tsx";

interface NoticeProps {
  readonly about: PageSource;
  readonly title: string;
  readonly sentences: readonly string[];
  /** The link at the end; to the account page by default. */
  readonly onward?: readonly [label: string, path: string] | undefined;
}

/** The outcome of a form or a link. */
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
