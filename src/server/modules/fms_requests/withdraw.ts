import type { Unit } from '../../engine/records/unit.ts';

/** Cancels the undispatched indents for lines of requests. */
export async function takeBackIndents(unit: Unit, lines: readonly number[]): Promise<void> {
  const indents = await unit.query<{ id: number }>(
    `select distinct i.id from {mr_indent} i join {mr_indent.lines} l on l.parent_id = i.id
     where i.state in ('draft', 'submitted', 'approved') and l.mr_line_id = any($1::bigint[])`,
    [lines],
  );
  for (const { id } of indents)
    await unit.elevated().transition('mr_indent', Number(id), 'cancel', { reason: 'The request was withdrawn.' });
}
