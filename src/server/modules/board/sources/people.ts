import { attrition, averageSpan } from '../../../../domain/board/people.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { pageCompanies, pageDay } from '../page_period.ts';

interface Counts {
  members: number;
  before: number;
  left: number;
  reporting: number;
  managers: number;
  wanted: number;
}

const FIGURES = {
  members: ({ members }: Counts) => members,
  attrition: ({ left, before, members }: Counts) => attrition(left, before, members),
  wanted: ({ wanted }: Counts) => wanted,
  span: ({ reporting, managers }: Counts) => averageSpan(reporting, managers),
};

/** Members, attrition of the last twelve months, vacancies and span: without names. */
const people: ReportSource = {
  reads: {},
  counts: ['employee', 'org_vacancy'],
  async rows(call) {
    const [counts] = await new SourceReader(call).query<Counts>((values) => {
      const day = values.bind(pageDay(call));
      const companies = `entity_id = any(${values.bind(pageCompanies(call))}::bigint[])`;
      const on = (at: string) => `date_of_joining <= ${at} and (last_working_day is null or last_working_day >= ${at})`;
      const before = `(${day}::date - interval '1 year')::date`;
      return `with at as (select * from {employee} where active and ${companies})
        select (select count(*) from at where ${on(`${day}::date`)})::int as members,
          (select count(*) from at where ${on(before)})::int as before,
          (select count(*) from at where last_working_day >= ${before} and last_working_day < ${day}::date)::int as left,
          (select count(*) from at where reporting_to_id is not null and ${on(`${day}::date`)})::int as reporting,
          (select count(distinct reporting_to_id) from at where ${on(`${day}::date`)})::int as managers,
          (select coalesce(sum(wanted), 0) from {org_vacancy} where active and ${companies})::int as wanted`;
    });
    const value = FIGURES[call.args?.as as keyof typeof FIGURES](counts!);
    return { rows: value === null ? [] : [{ n: value }] };
  },
};

export default people;
