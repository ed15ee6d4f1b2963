import type { WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { notFound } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import type { Vault } from '../../db/vault.ts';
import { OVERLAP_HOURS, newKey } from './api_keys.ts';
import { changeConfiguration } from './configuration.ts';
import { OLD_SECRET_PLACE, SECRET_PLACE, newSecret } from './webhooks.ts';

/** A value that is shown once and never again. */
export interface Once {
  label: string;
  value: string;
  text: string;
}

const keyOnce = (value: string): Once => ({
  label: 'Key',
  value,
  text: 'Copy the key now and keep it safe: it is not shown again. Programs send it as "Authorization: Bearer …".',
});
const secretOnce = (value: string): Once => ({
  label: 'Signing secret',
  value,
  text: 'Copy the secret now and give it to the receiver: it is not shown again. The receiver checks webhook-signature with it.',
});

/** The first key or secret of a new configuration, created when it is added. */
export async function firstCredential({ tenant }: Session, vault: Vault, record: WireRecord): Promise<Once> {
  const table = `${quoted(tenant.schema)}.api_config`;
  if (record.direction === 'inbound') {
    const { key, prefix, hash } = newKey();
    await tenant.db.query(`update ${table} set key_prefix = $2, key_hash = $3 where id = $1`, [
      record.id,
      prefix,
      hash,
    ]);
    return keyOnce(key);
  }
  const secret = newSecret();
  await tenant.db.query(`update ${table} set secret = $2 where id = $1`, [record.id, vault.seal(secret, SECRET_PLACE)]);
  return secretOnce(secret);
}

/** Replaces the key or secret of a configuration; the old one works for another day. */
export async function renewCredential(session: Session, vault: Vault, record: WireRecord): Promise<Once> {
  const { tenant, userId } = session;
  const by = { userId, what: 'new key' };
  const until = new Date(Date.now() + OVERLAP_HOURS * 3_600_000);
  return tenant.db.transaction(async (tx) => {
    const [kept] = await tx.query<{ key_hash: string | null; secret: string | null; state: string }>(
      `select key_hash, secret, state from ${quoted(tenant.schema)}.api_config where id = $1 for update`,
      [record.id],
    );
    if (!kept) throw notFound();
    if (record.direction === 'inbound') {
      const usable = kept.key_hash !== null && (kept.state === 'active' || kept.state === 'rotated');
      const made = newKey(usable && typeof record.key_prefix === 'string' ? record.key_prefix : undefined);
      await changeConfiguration(
        tx,
        tenant,
        record.id,
        {
          key_prefix: made.prefix,
          key_hash: made.hash,
          old_key_hash: usable ? kept.key_hash : null,
          old_key_until: usable ? until : null,
          state: usable ? 'rotated' : 'active',
        },
        by,
      );
      return keyOnce(made.key);
    }
    const secret = newSecret();
    const before = vault.open(kept.secret, SECRET_PLACE);
    await changeConfiguration(
      tx,
      tenant,
      record.id,
      {
        secret: vault.seal(secret, SECRET_PLACE),
        old_secret: before && vault.seal(before, OLD_SECRET_PLACE),
        old_secret_until: before && until,
      },
      by,
    );
    return secretOnce(secret);
  });
}
