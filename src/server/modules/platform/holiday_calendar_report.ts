import { DateTime } from 'luxon';
import type { ReportRow } from '../../../domain/report.ts';
import { workingDays } from '../../../domain/working_days.ts';
import { yearSpan } from '../../../descriptor/financial_year.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { tableName } from '../../db/names.ts';
import { CALENDAR_TYPES, holidaysThatCount, restDaysOf } from '../../access/people/working_calendar.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

/** The maximum number of branches in one answer: each has a year of days. */
const MAX_BRANCHES = 400;
const MONTHS = 12;

/** Holidays and week-offs by branch with the working days of each month (platform_admin.md §7): of the branches that the reader may list. */
const holidayCalendar: ReportSource = {
  reads: Object.fromEntries(CALENDAR_TYPES.map((type) => [type, []])),
  async rows({ session, parameters, scoped }) {
    const { tenant } = session;
    const values = new SqlParams();
    const where = [
      ...scoped('branch', 'b', values),
      'b.active',
      ...(parameters.branch === null ? [] : [`b.id = ${values.bind(parameters.branch)}`]),
    ];
    const branches = await tenant.db.query<{ id: number; entity_id: number; name: string }>(
      preparedStatement(
        `select b.id, b.entity_id, b.name from ${tableName(tenant.schema, 'branch')} b where ${where.join(' and ')} order by b.name, b.id limit ${MAX_BRANCHES + 1}`,
        values.list,
      ),
    );
    const shown = branches.slice(0, MAX_BRANCHES);
    const { from } = yearSpan(Number(String(parameters.year).slice(0, 4)), placeOf(session).fyStartMonth);
    const start = DateTime.fromISO(from, { zone: 'utc' });
    const months = Array.from({ length: MONTHS }, (_, at) => start.plus({ months: at }));
    const last = start.plus({ months: MONTHS }).minus({ days: 1 });
    const rests = await restDaysOf(
      tenant,
      shown.map(({ id, entity_id: entityId }) => ({ entityId, branchId: id })),
      start.toISODate()!,
      last.toISODate()!,
    );
    const rows = shown.flatMap(({ id, name }, at): ReportRow[] => {
      const { policies, holidays } = rests[at]!;
      const counted = months.map((month) => ({
        month: month.toFormat('yyyy-MM'),
        ...workingDays(month.toISODate()!, month.endOf('month').toISODate()!, policies, holidaysThatCount(holidays)),
      }));
      const days = (word: 'holidays' | 'week_offs' | 'half_days') =>
        counted.reduce((sum, one) => sum + one[word].length, 0);
      const year = {
        branch: id,
        branch__label: name,
        year_days: counted.reduce((sum, one) => sum + one.working_days, 0).toFixed(1),
        holidays: days('holidays'),
        week_offs: days('week_offs'),
        half_days: days('half_days'),
      };
      return counted.map(({ month, working_days: working }) => ({ ...year, month, working_days: working.toFixed(1) }));
    });
    return {
      rows,
      pivot: months.map((month) => ({
        value: month.toFormat('yyyy-MM'),
        title: month.setLocale('en').toFormat('MMM yyyy'),
      })),
      ...(branches.length > MAX_BRANCHES
        ? { note: `The first ${MAX_BRANCHES} branches are shown. Choose a branch to see another.` }
        : {}),
    };
  },
};

export default holidayCalendar;
