import type { VNode } from "preact";
import { Crumb, Neighbours, type DocsPageProps } from "./docs-page.tsx";
import { DocsLayout } from "./docs-layout.tsx";
import type { Example, Operation, Parameter } from "./operation.ts";
import { hasAccountPage } from "../layout.tsx";
import { RequestPanel } from "./request-panel.tsx";
import type { Member } from "./schema.ts";

/** An operation of the API: words, parameters, answer and errors beside the request and an example of its answer. */
export function OperationPage({
  operation,
  ...page
}: Omit<DocsPageProps, "title" | "parts"> & { readonly operation: Operation }): VNode {
  const { title, summary, description, request, body, answer, answered, answers, errors } =
    operation;
  const { path, frame, whole, html, previous, next } = page;
  const panel = { form: request, hasAccounts: hasAccountPage(frame.about) };
  return (
    <DocsLayout
      title={`${title} · API`}
      description={page.description}
      path={path}
      frame={frame}
      scripts={["request"]}
    >
      <div class="operation">
        <div class="prose beginning">
          <Crumb whole={whole} />
          <h1>
            <code>{title}</code>
          </h1>
          <p class="lead">{summary}</p>
          {description !== "" && (
            <p>
              <Words text={description} />
            </p>
          )}
        </div>
        <aside class="panel" aria-label="Request and answer">
          <div id="request" data-panel={JSON.stringify(panel)}>
            <RequestPanel {...panel} />
          </div>
          <Examples examples={answers} />
        </aside>
        <div class="prose">
          <Members title="Parameters" members={request.parameters.filter(isInAddress)} />
          <Members title="Body" members={body} />
          <Members title="Header fields" members={request.parameters.filter(isHeader)} />
          {html !== "" && (
            <>
              <h2 id="notes">Notes</h2>
              <div dangerouslySetInnerHTML={{ __html: html }} />
            </>
          )}
          <Members title="Answer" members={answered} words={`200: ${answer}`} />
          <h2 id="errors">Errors</h2>
          <dl class="members">
            {errors.map((error) => (
              <div key={error.status}>
                <dt>
                  <code>{error.status}</code>
                </dt>
                <dd>
                  <ErrorWords text={error.description} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
      <Neighbours previous={previous} next={next} />
    </DocsLayout>
  );
}

function isHeader(parameter: Parameter): boolean {
  return parameter.in === "header";
}

function isInAddress(parameter: Parameter): boolean {
  return !isHeader(parameter);
}

function Members({
  title,
  members,
  words = "",
}: {
  readonly title: string;
  readonly members: readonly Member[];
  readonly words?: string;
}): VNode | null {
  if (members.length === 0) return null;
  return (
    <>
      <h2 id={title.toLowerCase().replaceAll(" ", "-")}>{title}</h2>
      {words !== "" && <p>{words}</p>}
      <MemberList members={members} isAnswer={title === "Answer"} />
    </>
  );
}

/** Members of answers are always there, and parameters never have to be, where nothing else is written. */
function MemberList({
  members,
  isAnswer,
}: {
  readonly members: readonly Member[];
  readonly isAnswer: boolean;
}): VNode {
  return (
    <dl class="members">
      {members.map((member) => (
        <div key={member.name}>
          <dt>
            <code>{member.name}</code> <span>{member.type}</span>
            {isAnswer && !member.isRequired && <span> not always there</span>}
            {!isAnswer && member.isRequired && <b> required</b>}
          </dt>
          <dd>
            <Words text={member.description} />
            {member.default !== "" && (
              <span class="fact">
                Default: <code>{member.default}</code>
              </span>
            )}
            {member.allowed !== "" && (
              <span class="fact">
                Allowed: <Words text={member.allowed} />
              </span>
            )}
            {member.members.length > 0 && (
              <details open={member.name === "data"}>
                <summary>
                  {member.members.length} {member.members.length === 1 ? "member" : "members"}
                </summary>
                <MemberList members={member.members} isAnswer={isAnswer} />
              </details>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Examples({ examples }: { readonly examples: readonly Example[] }): VNode | null {
  if (examples.length === 0) return null;
  return (
    <section class="examples" aria-label="Examples of the answer">
      <b>Example answer</b>
      {examples.map(({ title, text }, index) => (
        <details key={title} open={index === 0}>
          <summary>{title}</summary>
          <pre tabIndex={0}>
            <code>{text}</code>
          </pre>
        </details>
      ))}
    </section>
  );
}

/** Text whose code is in backticks. */
function Words({ text }: { readonly text: string }): VNode {
  const parts = text.split("`");
  // Parts have no name but their place, and are never moved.
  return (
    <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}

/** The codes of an error lead to what to do about each. */
function ErrorWords({ text }: { readonly text: string }): VNode {
  const parts = text.split("`");
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a key={index} href={`/docs/errors#${part}`}>
            <code>{part}</code>
          </a>
        ) : (
          part
        ),
      )}
    </>
  );
}
