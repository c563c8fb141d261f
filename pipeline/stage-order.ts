import type { Stage } from "./stages/stage.ts";

/**
 * The stages in an order in which each finds what it reads: as given, but after the stages that write it. Throws, for
 * a defect, when a table is written twice or by nobody, or when stages wait for each other.
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
