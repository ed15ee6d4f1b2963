import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';

/**
 * Delegations in force on a day (platform_admin.md §7), of those the reader may list. Revoked ones never count;
 * scheduled ones count on future days.
 */
const delegationsInForce: ReportSource = {
  reads: {
    delegation: ['from_date', 'to_date', 'scope', 'transaction_types', 'amount_limit', 'reason', 'state'],
    employee: ['branch_id'],
    branch: [],
  },
  async rows({ session: { tenant }, screens, parameters, today, scoped }) {
    const employees = tableName(tenant.schema, 'employee');
    const values = new SqlParams();
    const on = `${values.bind(parameters.on)}::date`;
    const where = [
      ...scoped('delegation', 'd', values),
      'd.active',
      `${on} between d.from_date and d.to_date`,
      `(d.state in ('active', 'expired') or (d.state = 'draft' and ${on} > ${values.bind(today)}::date))`,
      ...(parameters.person === null
        ? []
        : [`${values.bind(parameters.person)} in (d.from_employee_id, d.to_employee_id)`]),
      ...(parameters.branch === null ? [] : [`${values.bind(parameters.branch)} in (f.branch_id, t.branch_id)`]),
    ];
    const rows = await tenant.db.query<ReportRow & { types: string[] | null; people: number }>(
      preparedStatement(
        `select d.id as delegation, d.number as delegation__label, d.from_employee_id as delegator, f.name as delegator__label, d.to_employee_id as deputy, t.name as deputy__label, d.from_date::text, d.to_date::text,
         d.to_date - ${on} as days_left, case when d.scope = 'types' then d.transaction_types end as types, d.amount_limit, d.reason, count(*) over ()::int as people
       from ${tableName(tenant.schema, 'delegation')} d join ${employees} f on f.id = d.from_employee_id join ${employees} t on t.id = d.to_employee_id
       where ${where.join(' and ')} order by d.to_date, f.name, d.id limit ${MAX_ROWS + 1}`,
        values.list,
      ),
    );
    return {
      rows: rows.map(({ types, people: _people, ...row }) => ({
        ...row,
        documents: types === null ? 'Everything' : types.map((type) => screens.get(type)?.plural ?? type).join(', '),
      })),
      figures: [{ title: 'In force', value: String(rows[0]?.people ?? 0) }],
    };
  },
};

export default delegationsInForce;
