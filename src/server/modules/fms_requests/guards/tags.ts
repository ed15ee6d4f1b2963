import type { FieldError } from '../../../../descriptor/types.ts';
import type { Unit } from '../../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** A customer's own piece only goes back to a lift of that customer (fms_stores.md 10). */
export async function tagErrors(unit: Unit, lines: readonly Row[], lift: unknown): Promise<FieldError[]> {
  const batches = lines.flatMap(({ batch_id: id }) => (typeof id === 'number' ? [id] : []));
  if (batches.length === 0) return [];
  const owned = await unit.query<{ id: number; tag: string; owner: string; theirs: boolean }>(
    `select b.id, b.batch_no as tag, c.name as owner,
       coalesce(b.owner_customer_id = (select f.customer_id from {lift} f where f.id = $2), false) as theirs
     from {stock_batch} b join {customer_dtl} c on c.id = b.owner_customer_id where b.id = any($1::bigint[])`,
    [batches, typeof lift === 'number' ? lift : null],
  );
  return lines.flatMap(({ batch_id: id }, at) => {
    const other = owned.find((one) => Number(one.id) === id && !one.theirs);
    return other
      ? [
          {
            field: `lines.${at}.batch_id`,
            message: `Tag ${other.tag} belongs to ${other.owner}; it can only go back there.`,
          },
        ]
      : [];
  });
}
