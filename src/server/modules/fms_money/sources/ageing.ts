import type { ReportRow } from '../../../../domain/report.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { applyingPolicy, policiesOf } from '../../../platform/policies/policies.ts';
import { duesOf } from '../dues.ts';
import { bucketSql, bucketTitles } from '../ageing_bands.ts';
import { ageingDays } from '../policies.ts';
import type { CollectionPolicy } from '../policies.ts';

/** Today's dues by age (C16), of the bills that the reader may see: the bands of the report of dues, to which it leads. */
const ageing: ReportSource = {
  // Policies only set the bounds: the figures are for everybody who may see bills and receipts.
  reads: { billing: ['grand_total', 'due_on', 'paid'], receipt: ['amount'], advance_use: ['total'] },
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
    const found = await reader.query<{ bucket: number; outstanding: string }>((values) => {
      values.bind(session.entityId);
      values.bind(today);
      const ofBranch = branch === null ? '' : ` and d.branch_id = ${values.bind(branch)}`;
      return `with ${duesOf(null)} select ${bucketSql('$2::date - d.due_on', bounds)} as bucket, sum(d.outstanding)::text as outstanding
        from dues d join {billing} b on b.id = d.id where d.outstanding <> 0 and ${reader.seen('billing', 'b', values)}${ofBranch} group by 1`;
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
