import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DATASET_METHOD } from "../../../quant/dataset/definition.ts";
import { ENGINE_VERSION } from "../../../quant/engine/version.ts";
import { INDEX_VERSION } from "../../../quant/overfitting/index-definition.ts";
import { docsFolder } from "../../../server/docs/docs-folder.ts";
import { openApiDocument } from "../../../server/docs/openapi.ts";
import { ENDPOINTS } from "../../../server/routes/endpoints.ts";
import { ServerFixture } from "../../support/server-fixture.ts";

const read = (file: string) => readFileSync(join(docsFolder(), file), "utf8");

test("the README's question has the README's answer", async () => {
  const readme = read("../README.md");
  const question = /-d '(\{.*\})'/.exec(readme)?.[1];
  const printed = JSON.parse(/```json\n(.*?)```/s.exec(readme)?.[1] ?? "null") as { data: object };
  const server = await ServerFixture.start();
  try {
    const response = await server.post("/v1/overfitting", await server.key(), question);
    expect(await response.json()).toMatchObject({ data: printed.data });
  } finally {
    await server.close();
  }
});

test("the page of changes names the versions in force", () => {
  const { info } = openApiDocument(ENDPOINTS, "") as { info: { version: string } };
  const rows = [...read("changes.md").matchAll(/^\| ([a-z ]+?) +\| ([\d.]+) /gm)];
  expect(Object.fromEntries(rows.map(([, name, version]) => [name, version]))).toEqual({
    interface: info.version,
    engine: ENGINE_VERSION,
    "dataset method": String(DATASET_METHOD),
    index: String(INDEX_VERSION),
  });
});
