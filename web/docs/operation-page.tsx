import type { VNode } from "preact";
import { neighbours, wayBack, type DocsPageProps } from "./docs-page.tsx";
import { DocsLayout } from "./docs-layout.tsx";
import type { Example, Operation } from "./operation.ts";
import { hasAccountPage } from "../layout.tsx";
import { RequestPanel } from "./request-panel.tsx";
import type { Member } from "./schema.ts";

interface OperationPageProps extends Omit<DocsPageProps, "title" | "parts"> {
  readonly operation: Operation;
}

/** An operation of the API: words, parameters, answer and errors beside the request and an example of its answer. */
export function operationPage(props: OperationPageProps): VNode {
  const { operation, whole, html, previous, next, ...page } = props;
  const { title, summary, description, request, body, errors } = operation;
  const panel = { form: request, hasAccounts: hasAccountPage(page.frame.about) };
  const inHeader = request.parameters.filter(({ in: where }) => where === "header");
  const inAddress = request.parameters.filter(({ in: where }) => where !== "header");
  return (
    <DocsLayout title={`${title} · API`} {...page} scripts={["request"]}>
      <div class="operation">
        <div class="prose beginning">
          {wayBack(whole)}
          <h1>
            <code>{title}</code>
          </h1>
          <p class="lead">{summary}</p>
          {description !== "" && <p>{words(description)}</p>}
        </div>
        <aside class="panel" aria-label="Request and answer">
          <div id="request" data-panel={JSON.stringify(panel)}>
            <RequestPanel {...panel} />
          </div>
          {examplesSection(operation.answers)}
        </aside>
        <div class="prose">
          {membersSection("Parameters", inAddress)}
          {membersSection("Body", body)}
          {membersSection("Header fields", inHeader)}
          {html !== "" && (
            <>
              <h2 id="notes">Notes</h2>
              <div dangerouslySetInnerHTML={{ __html: html }} />
            </>
          )}
          {membersSection("Answer", operation.answered, `200: ${operation.answer}`)}
          <h2 id="errors">Errors</h2>
          <dl class="members">
            {errors.map((error) => (
              <div key={error.status}>
                <dt>
                  <code>{error.status}</code>
                </dt>
                <dd>{words(error.description, errorCode)}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
      {neighbours(previous, next)}
    </DocsLayout>
  );
}

function membersSection(title: string, members: readonly Member[], sentence = ""): VNode | null {
  if (members.length === 0) return null;
  return (
    <>
      <h2 id={title.toLowerCase().replaceAll(" ", "-")}>{title}</h2>
      {sentence !== "" && <p>{sentence}</p>}
      {memberList(members, title === "Answer")}
    </>
  );
}

/** Says which members of an answer may be missing, and which parameters are required. */
function memberList(members: readonly Member[], isAnswer: boolean): VNode {
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
            {words(member.description)}
            {member.default !== "" && (
              <span class="fact">
                Default: <code>{member.default}</code>
              </span>
            )}
            {member.allowed !== "" && <span class="fact">Allowed: {words(member.allowed)}</span>}
            {member.members.length > 0 && (
              <details open={member.name === "data"}>
                <summary>
                  {member.members.length} {member.members.length === 1 ? "member" : "members"}
                </summary>
                {memberList(member.members, isAnswer)}
              </details>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function examplesSection(examples: readonly Example[]): VNode | null {
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

const code = (text: string, index: number) => <code key={index}>{text}</code>;

/** The code of an error leads to what to do about it. */
const errorCode = (text: string, index: number) => (
  <a key={index} href={`/docs/errors#${text}`}>
    <code>{text}</code>
  </a>
);

/** Text whose code is in backticks. Its parts have no name but their place, and are never moved. */
function words(text: string, codeOf = code): readonly (string | VNode)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? codeOf(part, index) : part));
}
