import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Vault } from '../../db/vault.ts';
import type { EngineSettings } from './engine.ts';

export const NO_ENGINE =
  'No transcription engine is configured. Upload a transcript (.vtt, .srt, .txt) or ask your administrator. (Settings, Transcription engine.)';

/** A client's settings for transcription, and the retention of recordings. */
export interface TranscriptionSettings {
  /** Null: no engine is configured. */
  url: string | null;
  retentionDays: number;
  keepText: boolean;
}

interface Row {
  url: string | null;
  format: EngineSettings['format'];
  api_key: string | null;
  model: string | null;
  timeout_minutes: number;
  retention_days: number;
  keep_text: boolean;
}

async function stored({ db, schema }: Tenant): Promise<Row | undefined> {
  const table = `${quoted(schema)}.transcription_setting`;
  const [made] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!made?.there) return undefined;
  const [row] = await db.query<Row>(
    `select url, format, api_key, model, timeout_minutes, retention_days, keep_text from ${table} where active order by id limit 1`,
  );
  return row;
}

export async function transcriptionSettings(tenant: Tenant): Promise<TranscriptionSettings> {
  const row = await stored(tenant);
  return { url: row?.url ?? null, retentionDays: row?.retention_days ?? 365, keepText: row?.keep_text ?? true };
}

/** The engine of a client, with its key decrypted; null = none. */
export async function engineOf(tenant: Tenant, vault: Vault): Promise<EngineSettings | null> {
  const row = await stored(tenant);
  if (!row?.url) return null;
  return {
    url: row.url,
    format: row.format,
    apiKey: vault.open(row.api_key, 'transcription_setting.api_key'),
    model: row.model,
    timeoutMinutes: row.timeout_minutes,
  };
}
