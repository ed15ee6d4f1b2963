import type { Guard } from '../../../engine/modules.ts';

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/** Evidence and points belong to tasks of the template: a code of none of them would be lost at the clients. */
export const rowsNameTasks: Guard = {
  check({ record }) {
    const codes = new Set(rowsOf(record.tasks).map(({ code }) => code));
    return Promise.resolve(
      ['evidence', 'points'].flatMap((field) => {
        const wrong = rowsOf(record[field]).find(({ task_code: code }) => !codes.has(code));
        return wrong ? [{ field, message: `There is no task ${String(wrong.task_code)} in this template.` }] : [];
      }),
    );
  },
};
