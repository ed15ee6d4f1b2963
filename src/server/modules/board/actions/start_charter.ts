import type { Action } from '../../../engine/modules.ts';

/** Gives a unit a copy of the charter of its type: the unit's own file, which its readers may open and replace. */
export const startCharter: Action = {
  async run({ unit, services, record, isForm }) {
    if (!record || isForm)
      return unit.refuse([{ field: 'charter', message: 'Save the unit first, then start the charter on its page.' }]);
    const [type] = await unit.query<{ name: string; charter_template: number | null }>(
      'select name, charter_template from {board_type} where id = $1',
      [record.board_type_id],
    );
    if (!type || type.charter_template === null)
      return unit.refuse([
        {
          field: 'charter',
          message: `${type?.name ?? 'The type'} has no charter template. Attach one to the type, or attach the charter here.`,
        },
      ]);
    const { session } = unit;
    const { file, stream } = await services.files.open(session.tenant, type.charter_template);
    const copy = await services.files.save(
      session,
      file.name,
      stream() as NodeJS.ReadableStream & AsyncIterable<Buffer>,
      'board_unit.charter',
    );
    return { set: { charter: copy.id }, done: 'The charter is a copy of the template of the type.' };
  },
};
