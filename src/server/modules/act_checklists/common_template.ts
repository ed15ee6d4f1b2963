import type { LibraryRecord } from '../../engine/modules.ts';

type Row = Record<string, unknown>;

/** Fields that a client's copy of a common template has in common with it. */
const HEADER = [
  'code',
  'title',
  'template_kind',
  'category',
  'statutory',
  'process_name',
  'start_event',
  'summary',
  'verified_on',
  'source_url',
  'change_note',
  'repeat',
  'every',
  'weekdays',
  'month_day',
  'month_no',
  'nth',
  'weekday',
  'rules',
];

/** Leaves out the ids of the platform's rows and empty values, so that defaults apply. */
const bare = ({ id: _id, task_code: _task, ...row }: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/**
 * A template of the platform as a template of a client; `own`: the client's records of the same code, `unitOf`: its unit
 * of that code or name.
 */
export function asOwnTemplate(
  { values }: LibraryRecord,
  own: { designation_id: number | null; country: number | null },
  unitOf: (name: string) => number | null,
): Row {
  const of = (name: string, code: unknown) =>
    rowsOf(values[name])
      .filter(({ task_code: task }) => task === code)
      .map(bare);
  return {
    ...Object.fromEntries(HEADER.map((name) => [name, values[name] ?? null])),
    ...own,
    common_version: Number(values.version_no ?? 0),
    tasks: rowsOf(values.tasks).map((task) => ({
      ...bare(task),
      after_when: of('conditions', task.code),
      evidence: of('evidence', task.code),
      subtasks: of('points', task.code).map(({ unit, ...point }) =>
        typeof unit === 'string' ? { ...point, unit_id: unitOf(unit) } : point,
      ),
    })),
  };
}
