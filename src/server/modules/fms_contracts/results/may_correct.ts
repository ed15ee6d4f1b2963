import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Session } from '../../../access/context.ts';
import { quoted } from '../../../db/names.ts';

/** Why an inspection that waits for its review can no longer be corrected; null = it can. */
export async function correctionClosed({ tenant }: Session, stored: WireRecord): Promise<string | null> {
  const [row] = await tenant.db.query<{ open: boolean }>(
    `select coalesce($2::timestamptz + make_interval(hours => coalesce(t.may_correct_hours, 0)) > now(), false) as open from ${quoted(tenant.schema)}.tis_survey_type t where t.id = $1`,
    [stored.survey_type_id, stored.submitted_at],
  );
  return row?.open === true ? null : 'This inspection is waiting for review. Ask the reviewer to send it back.';
}
