import type { ReportRow } from '../../../../domain/report.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { applyingPolicy, policiesOf } from '../../../platform/policies/policies.ts';
import { bucketSql, bucketTitles } from '../ageing_bands.ts';
import { ageingDays } from '../policies.ts';
import type { CollectionPolicy } from '../policies.ts';

/** Today's dues by age (C16), of the bills that the reader may see, in the bands of the report of dues, to which it leads. */
const ageing: ReportSource = {
  // Policies only set the bounds: the figures are for everybody who may see bills.
  reads: { billing: ['outstanding', 'due_on'] },
  async rows(call) {
    const { session, parameters, today } = call;
    const reader = new SourceReader(call);
    const policies = await policiesOf(
      {
        query: <T>(text: string, given: unknown[] = []) =>
          reader.query<object>((values) => {
            for (const value of given) values.bind(value);
            return text;
          }) as Promise<T[]>,
      },
      session.entityId,
      ['COLLECTION'],
    );
    const branch = (parameters.branch_id as number | null | undefined) ?? null;
    const bounds = ageingDays(applyingPolicy<CollectionPolicy>(policies, today, { branch_id: branch }) ?? {});
    // Of today, bills know what is outstanding of them: the statements for other days take much longer.
    const found = await reader.query<{ bucket: number; outstanding: string }>((values) => {
      const day = `${values.bind(today)}::date`;
      const ofBranch = branch === null ? '' : ` and b.branch_id = ${values.bind(branch)}`;
      return `select ${bucketSql(`${day} - coalesce(b.due_on, b.bill_date)`, bounds)} as bucket, sum(b.outstanding)::text as outstanding
        from {billing} b where b.entity_id = ${values.bind(session.entityId)} and b.active and b.status = 'posted' and b.bill_date <= ${day}
          and b.bill_kind in ('tax_invoice', 'bill_of_supply', 'debit_note') and b.outstanding <> 0
          and ${reader.seen('billing', 'b', values)}${ofBranch} group by 1`;
    });
    const of = new Map(found.map(({ bucket, outstanding }) => [bucket, outstanding]));
    return {
      opens: '/reports/outstanding',
      rows:
        found.length === 0
          ? []
          : bucketTitles(bounds).map((bucket, at): ReportRow => ({ bucket, outstanding: of.get(at) ?? '0.00' })),
    };
  },
};

export default ageing;
