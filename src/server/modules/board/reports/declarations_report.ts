import type { ReportFigure } from '../../../../domain/report.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

interface Declaration extends Record<string, unknown> {
  disclosure_id: number;
  number: string | null;
  member: string;
  financial_year: string;
  kind: string;
  due_on: string;
  received_on: string | null;
  noted_on: string | null;
  late_days: number | null;
  state: string;
}

const RECEIVED: ReadonlySet<string> = new Set(['received', 'noted']);

/** Declarations one by one, with the share that is noted and how many are missing by kind (board.md §7). */
const declarationsReport: ReportSource = {
  reads: { board_disclosure: ['due_on', 'received_on', 'noted_on'] },
  async rows(call) {
    const { financial_year: year, kind, board_member_id: member, state } = call.parameters;
    const reader = new SourceReader(call);
    const rows = await reader.query<Declaration>(
      (
        values,
      ) => `select d.id as disclosure_id, d.number, m.name as member, d.financial_year, d.kind, d.due_on::text, d.received_on::text, d.noted_on::text,
          case when d.received_on is not null then greatest(0, d.received_on - d.due_on)
            when d.due_on < ${values.bind(call.today)}::date then ${values.bind(call.today)}::date - d.due_on end as late_days, d.state
        from {board_disclosure} d join {board_member} m on m.id = d.board_member_id
        where d.state <> 'withdrawn' and ${reader.seen('board_disclosure', 'd', values)}
          ${typeof year === 'string' ? `and d.financial_year = ${values.bind(year)}` : ''}
          ${typeof kind === 'string' ? `and d.kind = ${values.bind(kind)}` : ''}
          ${typeof member === 'number' ? `and d.board_member_id = ${values.bind(member)}` : ''}
          ${typeof state === 'string' ? `and d.state = ${values.bind(state)}` : ''}
        order by d.financial_year desc, m.name, d.due_on, d.id`,
    );
    const received = rows.filter((row) => RECEIVED.has(row.state)).length;
    const noted = rows.filter((row) => row.state === 'noted').length;
    const missing = rows.length - received;
    const late = rows.filter(({ late_days: days }) => days !== null && days > 0).length;
    const kinds = [...new Set(rows.map((row) => row.kind))];
    const count = (is: (row: Declaration) => boolean) =>
      kinds.map((one) => rows.filter((row) => row.kind === one && is(row)).length);
    const titles = new Map(
      call.screens
        .get('board_disclosure')
        ?.fields.find(({ name }) => name === 'kind')
        ?.options?.map(({ value, label }) => [value, label]),
    );
    const figures: ReportFigure[] = [
      { title: 'Asked for', value: String(rows.length) },
      { title: 'Missing', value: String(missing), ...(missing > 0 && { tone: 'warning' as const }) },
      { title: 'Late', value: String(late), ...(late > 0 && { tone: 'danger' as const }) },
      { title: 'Complete', value: `${((100 * noted) / rows.length).toFixed(2)} %`, note: 'Noted in a meeting' },
    ];
    return {
      rows,
      ...(rows.length > 0 && {
        figures,
        chart: {
          x: kinds.map((one) => titles.get(one) ?? one),
          series: [
            { title: 'Noted', values: count((row) => row.state === 'noted') },
            { title: 'Received', values: count((row) => row.state === 'received') },
            { title: 'Missing', values: count((row) => !RECEIVED.has(row.state)) },
          ],
        },
      }),
    };
  },
};
export default declarationsReport;
