import type { Stage } from "./stages/stage.ts";

/**
 * Orders the stages so that each finds what it reads: in the given order, but after the stages that write
 * it. A table that is written twice or by no stage, or a cycle, is a defect, and throws.
 */
export function orderStages(stages: readonly Stage[]): Stage[] {
  const writerOf = new Map<string, Stage>();
  for (const stage of stages) {
    for (const { name } of stage.writes) {
      const other = writerOf.get(name);
      if (other !== undefined) {
        throw new Error(`stages "${other.name}" and "${stage.name}" both write "${name}"`);
      }
      writerOf.set(name, stage);
    }
  }
  const ordered: Stage[] = [];
  const place = (stage: Stage, waiting: readonly Stage[]): void => {
    if (ordered.includes(stage)) return;
    if (waiting.includes(stage)) {
      throw new Error(
        `stages wait for each other: ${[...waiting, stage].map(({ name }) => name).join(" <- ")}`,
      );
    }
    for (const { name } of stage.reads) {
      const writer = writerOf.get(name);
      if (writer === undefined)
        throw new Error(`no stage writes "${name}", "${stage.name}" reads it`);
      place(writer, [...waiting, stage]);
    }
    ordered.push(stage);
  };
  for (const stage of stages) place(stage, []);
  return ordered;
}
