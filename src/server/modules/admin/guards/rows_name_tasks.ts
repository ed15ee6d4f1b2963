import { orderFaults } from '../../../../domain/act/task_order.ts';
import type { Guard } from '../../../engine/modules.ts';

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/**
 * Conditions, evidence and points belong to tasks of the template: a code of none of them would be lost at the clients,
 * and a task that waits for none, or for itself, would be refused there.
 */
export const rowsNameTasks: Guard = {
  check({ record }) {
    const codes = new Set(rowsOf(record.tasks).map(({ code }) => code));
    const unknown = ['conditions', 'evidence', 'points'].flatMap((field) => {
      const wrong = rowsOf(record[field]).find(({ task_code: code }) => !codes.has(code));
      return wrong ? [{ field, message: `There is no task ${String(wrong.task_code)} in this template.` }] : [];
    });
    const tasks = rowsOf(record.tasks).map((task) => ({
      ...task,
      after_when: rowsOf(record.conditions).filter(({ task_code: code }) => code === task.code),
    }));
    return Promise.resolve([...unknown, ...orderFaults({ tasks })]);
  },
};
