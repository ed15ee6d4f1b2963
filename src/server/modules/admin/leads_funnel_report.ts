import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

/**
 * Number and value of leads by stage, and the conversion (platform_admin.md §7): won leads of all decided ones, as on
 * the platform's home. People of a partner see their own leads.
 */
const leadsFunnel: ReportSource = {
  reads: { admin_lead: [] },
  async rows({ session: { tenant }, screens, parameters, scoped }) {
    // The stages in the order that a lead passes through.
    const stages = screens
      .get('admin_lead')!
      .fields.find(({ name }) => name === 'state')!
      .options!.map(({ value }) => value);
    const values = new SqlParams();
    const chosen = (
      [
        ['owner', 'owner_id'],
        ['source', 'lead_source_id'],
        ['campaign', 'campaign_id'],
        ['industry', 'industry_id'],
      ] as const
    ).flatMap(([name, column]) =>
      parameters[name] === null ? [] : [`l.${column} = ${values.bind(parameters[name])}`],
    );
    const entered = () => `(l.created_at at time zone ${values.bind(tenant.timezone)})::date`;
    const where = [
      ...scoped('admin_lead', 'l', values),
      'l.active',
      ...chosen,
      ...(parameters.from === null ? [] : [`${entered()} >= ${values.bind(parameters.from)}::date`]),
      ...(parameters.to === null ? [] : [`${entered()} <= ${values.bind(parameters.to)}::date`]),
    ];
    const rows = await tenant.db.query<ReportRow & { conversion: string | null }>(
      preparedStatement(
        `with seen as (select l.state, l.value, l.weighted from ${tableName(tenant.schema, 'admin_lead')} l where ${where.join(' and ')})
       select s.stage, count(l.state)::int as leads, coalesce(round(100.0 * count(l.state) / nullif((select count(*) from seen), 0), 2), 0)::text as share,
         coalesce(sum(l.value), 0)::numeric(18, 2)::text as value, coalesce(sum(l.weighted), 0)::numeric(18, 2)::text as weighted,
         (select round(100.0 * count(*) filter (where state = 'won') / nullif(count(*) filter (where state in ('won', 'lost')), 0), 2)::text from seen) as conversion
       from unnest(${values.bind(stages)}::text[]) with ordinality s(stage, place) left join seen l on l.state = s.stage group by s.stage, s.place order by s.place`,
        values.list,
      ),
    );
    const conversion = rows[0]?.conversion ?? null;
    return {
      rows: rows.map(({ conversion: _conversion, ...row }) => row),
      figures: [
        {
          title: 'Conversion',
          value: conversion === null ? '–' : `${conversion} %`,
          note: conversion === null ? 'No lead is won or lost.' : 'Won, of those won or lost.',
        },
      ],
    };
  },
};

export default leadsFunnel;
