import type { FieldError } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';

/** The PAN of the current company, if entered. */
export async function companyPan({ tenant, entityId }: Session): Promise<string | null> {
  const [company] = await tenant.db.query<{ pan: string | null }>(
    `select pan from ${quoted(tenant.schema)}.entity where id = $1`,
    [entityId],
  );
  return company?.pan ?? null;
}

/** The errors of a GSTIN compared with its state of registration and its owner's PAN (null = unknown). */
export async function gstinErrors(
  { tenant }: Session,
  { gstin, state_id: stateId }: Record<string, unknown>,
  pan: string | null,
): Promise<FieldError[]> {
  if (typeof gstin !== 'string' || gstin.length !== 15) return [];
  const errors: string[] = [];
  const [state] =
    typeof stateId === 'number'
      ? await tenant.db.query<{ name: string; code: string | null }>(
          `select name, gst_code as code from ${quoted(tenant.schema)}.state_mstr where id = $1`,
          [stateId],
        )
      : [];
  if (state?.code && !gstin.startsWith(state.code))
    errors.push(
      `A GSTIN of ${state.name} begins with ${state.code}; this begins with ${gstin.slice(0, 2)}. Check the state or the number.`,
    );
  if (pan && gstin.slice(2, 12) !== pan)
    errors.push(
      `Characters 3 to 12 of the GSTIN are the PAN of the company, ${pan}; here they are ${gstin.slice(2, 12)}.`,
    );
  return errors.length === 0 ? [] : [{ field: 'gstin', message: errors.join(' ') }];
}
