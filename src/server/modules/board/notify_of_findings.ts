import type { Unit } from '../../engine/records/unit.ts';
import type { Broken } from './board_rows.ts';

/** Notifies the secretaries of the units, and further accounts, of rules that are newly violated. */
export async function notifyOfFindings(
  unit: Unit,
  fresh: readonly Broken[],
  also: readonly number[] = [],
): Promise<void> {
  const rows = await unit.query<{ id: number; unit: string; user_id: number | null }>(
    `select u.id, u.name as unit, e.user_id from {board_unit} u left join {employee} e on e.id = u.secretary_id where u.id = any($1) order by u.id`,
    [fresh.map((one) => one.unit_id)],
  );
  for (const { id, unit: name, user_id: user } of rows) {
    const to = [...new Set([...(user === null ? [] : [user]), ...also])];
    if (to.length === 0) continue;
    const own = fresh.filter((one) => one.unit_id === id);
    await unit.notify({
      event: 'board',
      to,
      values: {
        subject: `${name}: ${own.length === 1 ? 'a rule is' : `${own.length} rules are`} violated`,
        text: own.map(({ source, remedy }) => `${source}: ${remedy}`).join('\n'),
      },
      link: '/board_findings',
    });
  }
}
