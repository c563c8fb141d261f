import type { Parameter, RequestForm } from "./operation.ts";

/** What a reader has filled in: parameters by name ("" if left out), and the text or file name of the body. */
export interface RequestValues {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sample {
  readonly language: string;
  readonly code: string;
}

/** The example request: what is required, and nothing else. */
export function firstValues({ parameters, body }: RequestForm): RequestValues {
  const filled = parameters.map(({ name, isRequired, example }) => [
    name,
    isRequired ? example || "1" : "",
  ]);
  const text = body?.isFile === true ? "returns.csv" : (body?.examples[0]?.text ?? "");
  return { parameters: Object.fromEntries(filled) as Record<string, string>, body: text };
}

/** The parameters in the path, the query or the header that are filled in. */
function filledIn(
  { parameters }: RequestForm,
  values: RequestValues,
  where: Parameter["in"],
): [name: string, value: string][] {
  return parameters
    .filter((parameter) => parameter.in === where)
    .map(({ name }): [string, string] => [name, values.parameters[name] ?? ""])
    .filter(([, value]) => value !== "");
}

/** The address that a request goes to. */
export function addressOf(form: RequestForm, values: RequestValues): string {
  let address = form.url;
  for (const [name, value] of filledIn(form, values, "path")) {
    address = address.replace(`{${name}}`, encodeURIComponent(value));
  }
  const query = String(new URLSearchParams(filledIn(form, values, "query")));
  return query === "" ? address : `${address}?${query}`;
}

/** The header fields of a request, but for the key. */
export function headersOf(
  form: RequestForm,
  values: RequestValues,
): Readonly<Record<string, string>> {
  const filled = Object.fromEntries(filledIn(form, values, "header"));
  return form.body === undefined ? filled : { "Content-Type": form.body.type, ...filled };
}

/** The request as a developer would write it. The key comes from the environment, so that no shell history has it. */
export function samplesOf(form: RequestForm, values: RequestValues): readonly Sample[] {
  return [
    { language: "curl", code: curl(form, values) },
    { language: "JavaScript", code: javaScript(form, values) },
    { language: "Python", code: python(form, values) },
  ];
}

function curl(form: RequestForm, values: RequestValues): string {
  const { needsKey, body } = form;
  const lines = [
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...Object.entries(headersOf(form, values)).map(
      ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body === undefined
      ? []
      : [`--data-binary ${quoted(body.isFile ? `@${values.body}` : indented(values.body, "  "))}`]),
    quoted(addressOf(form, values)),
  ];
  return `curl ${lines.join(" \\\n  ")}`;
}

/** Text quoted for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function javaScript(form: RequestForm, values: RequestValues): string {
  const { method, needsKey, body } = form;
  const headers = Object.entries(headersOf(form, values)).map(
    ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  if (needsKey) headers.unshift("    Authorization: `Bearer ${process.env.KEY}`,");
  const content =
    body?.isFile === true
      ? `await readFile(${JSON.stringify(values.body)})`
      : `JSON.stringify(${indented(values.body, "  ")})`;
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers, "  },"]),
    ...(body === undefined ? [] : [`  body: ${content},`]),
  ];
  const address = JSON.stringify(addressOf(form, values));
  const file = body?.isFile === true ? ['import { readFile } from "node:fs/promises";', ""] : [];
  const call =
    options.length === 0
      ? [`const response = await fetch(${address});`]
      : [`const response = await fetch(${address}, {`, ...options, "});"];
  return [...file, ...call, "console.log(await response.json());"].join("\n");
}

function python(form: RequestForm, values: RequestValues): string {
  const { method, needsKey, body } = form;
  const headers = Object.entries(headersOf(form, values))
    .filter(([name]) => body?.isFile === true || name !== "Content-Type") // which `json` sets
    .map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  if (needsKey) headers.unshift(`        "Authorization": "Bearer " + os.environ["KEY"],`);
  const content =
    body?.isFile === true
      ? `    data=open(${JSON.stringify(values.body)}, "rb"),`
      : `    json=${indented(values.body, "    ")},`;
  return [
    needsKey ? "import os, requests" : "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(addressOf(form, values))},`,
    ...(headers.length === 0 ? [] : ["    headers={", ...headers, "    },"]),
    ...(body === undefined ? [] : [content]),
    ")",
    "print(response.json())",
  ].join("\n");
}

function indented(text: string, by: string): string {
  return text.replaceAll("\n", `\n${by}`);
}
