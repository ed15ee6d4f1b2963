import { closedInTime } from '../../../../domain/board/meeting_actions.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { ACTION_READS, actionRows, isOpen } from '../action_rows.ts';

const SHOWN = {
  not_closed: isOpen,
  late: ({ standing }: { standing: string }) => standing === 'late',
  closed: ({ standing }: { standing: string }) => standing === 'in_time' || standing === 'done_late',
} as const;

const idOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const dayOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Actions of meetings with their owners and days, and the share that was closed in time (act_engage.md §5.7, 7). */
const actionsReport: ReportSource = {
  reads: ACTION_READS,
  async rows(call) {
    const { unit, owner_id: owner, from, to, shown, on_day: on } = call.parameters;
    const all = await actionRows(call, {
      day: dayOf(on) ?? undefined,
      unit: idOf(unit),
      owner: idOf(owner),
      from: dayOf(from),
      to: dayOf(to),
    });
    const percent = closedInTime(all.map(({ standing }) => standing));
    const counted = all.filter(({ standing }) => standing !== 'open' && standing !== 'dropped');
    const inTime = counted.filter(({ standing }) => standing === 'in_time').length;
    const rows = typeof shown === 'string' ? all.filter(SHOWN[shown as keyof typeof SHOWN]) : all;
    const people = [...new Set(rows.map(({ owner: name }) => name))].toSorted((a, b) => a.localeCompare(b));
    const count = (is: (row: (typeof rows)[number]) => boolean) =>
      people.map((name) => rows.filter((row) => row.owner === name && is(row)).length);
    return {
      ...(percent !== null && {
        note: `${inTime} of ${counted.length} due actions were closed in time: ${percent} %.`,
      }),
      rows: rows.map(({ hand_over: handOver, owner: name, meeting_id: id, state: _state, ...row }) => ({
        ...row,
        meeting_id: id,
        owner_id__label: name,
        hand_over: handOver && isOpen(row) ? 'Yes' : null,
      })),
      chart: {
        x: people,
        series: [
          { title: 'Open', values: count(({ standing }) => standing === 'open') },
          { title: 'Late', values: count(({ standing }) => standing === 'late') },
          { title: 'Closed', values: count(SHOWN.closed) },
        ],
      },
    };
  },
};
export default actionsReport;
