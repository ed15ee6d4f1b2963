import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import { authorize } from '../../access/rights/authorize.ts';

/**
 * Cost and results of campaigns (platform_admin.md §7); leads are shown only to people who may list leads.
 * @throws AppError 403
 */
const campaignResult: ReportSource = {
  reads: { admin_campaign: [], admin_lead: [] },
  async rows({ session, screens, parameters, scoped }) {
    const { tenant } = session;
    authorize(session, screens.get('admin_lead')!, 'landing');
    const values = new SqlParams();
    const leads = ['l.active', 'l.campaign_id = c.id', ...scoped('admin_lead', 'l', values)];
    const where = [
      ...scoped('admin_campaign', 'c', values),
      'c.active',
      ...(parameters.from === null ? [] : [`c.from_date >= ${values.bind(parameters.from)}::date`]),
      ...(parameters.to === null ? [] : [`c.from_date <= ${values.bind(parameters.to)}::date`]),
      ...(parameters.channel === null ? [] : [`c.channel = ${values.bind(parameters.channel)}`]),
    ];
    const rows = await tenant.db.query<ReportRow & { all_per_lead: string | null; all_per_win: string | null }>(
      preparedStatement(
        `select c.id as campaign, c.name as campaign__label, c.channel, c.from_date::text, c.to_date::text, c.budget, c.spent, c.target_leads, b.leads, b.won, b.value::numeric(18, 2)::text as value,
         round(c.spent / nullif(b.leads, 0), 2)::text as per_lead, round(c.spent / nullif(b.won, 0), 2)::text as per_win,
         round(sum(c.spent) over () / nullif(sum(b.leads) over (), 0), 2)::text as all_per_lead, round(sum(c.spent) over () / nullif(sum(b.won) over (), 0), 2)::text as all_per_win
       from ${tableName(tenant.schema, 'admin_campaign')} c cross join lateral (
         select count(*)::int as leads, count(*) filter (where l.state = 'won')::int as won, coalesce(sum(l.value) filter (where l.state = 'won'), 0) as value from ${tableName(tenant.schema, 'admin_lead')} l where ${leads.join(' and ')}) b
       where ${where.join(' and ')} order by c.from_date desc, c.id desc limit ${MAX_ROWS + 1}`,
        values.list,
      ),
    );
    const [first] = rows;
    return {
      rows: rows.map(({ all_per_lead: _lead, all_per_win: _win, ...row }) => row),
      ...(first && { totals: { per_lead: first.all_per_lead, per_win: first.all_per_win } }),
    };
  },
};

export default campaignResult;
