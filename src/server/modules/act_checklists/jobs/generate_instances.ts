import type { Job } from '../../../engine/modules.ts';
import type { GenerationMemory } from '../generate.ts';
import { generateChecklists } from '../generate.ts';

const PER_STEP = 25;

/** Loops side by side: storing tasks keeps the processor of one database connection busy. */
const LOOPS = 2;

/** Every night, makes the tasks of all active checklists up to their horizon; a run that is killed goes on where it was. */
export const generateInstances: Job = {
  elevated: true,
  async run({ company, each }) {
    let made = 0;
    const memory: GenerationMemory = {};
    const loop = (part: number) =>
      each(
        (unit, after) =>
          unit.query<{ id: number }>(
            `select id from {master_checklist} where entity_id = $1 and active and state = 'active' and (end_on is null or end_on >= coalesce(generated_through, start_on))
               and id > $2 and id % ${LOOPS} = $3
             order by id limit ${PER_STEP}`,
            [company, after ?? 0, part],
          ),
        async (unit, batch) => {
          const ids = batch.map(({ id }) => id);
          made += await generateChecklists(unit.elevated(), ids, memory);
          return ids.at(-1)!;
        },
      );
    const loops = await Promise.allSettled(Array.from({ length: LOOPS }, (_, part) => loop(part)));
    const failed = loops.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    const checklists = loops.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
    return `${made} tasks created from ${checklists} checklists.`;
  },
};
