import { Readable } from 'node:stream';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, quoted } from '../../db/names.ts';
import { FileStore } from '../../services/files/store.ts';

const RATE = 8_000;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Synthetic speech: each line is a tone of its speaker, with silence between lines. WAV, 8 kHz, 8 bits, one channel.
 */
function hum(seconds: number, lines: { start_ms: number; end_ms: number; speaker: string | null }[]): Buffer {
  const samples = Buffer.alloc(seconds * RATE, 128);
  const speakers = [...new Set(lines.map(({ speaker }) => speaker))];
  for (const { start_ms: start, end_ms: end, speaker } of lines) {
    const tone = 180 + 70 * speakers.indexOf(speaker);
    const [from, to] = [Math.floor((start * RATE) / 1000), Math.min(samples.length, Math.floor((end * RATE) / 1000))];
    for (let at = from; at < to; at++) {
      // The volume rises four times a second, like syllables.
      const swell = 0.5 - 0.5 * Math.cos((2 * Math.PI * 4 * (at - from)) / RATE);
      samples[at] = 128 + Math.round(40 * swell * Math.sin((2 * Math.PI * tone * at) / RATE));
    }
  }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** Adds audio to the recordings of the demo company. */
export async function addRecordings(tenant: Tenant, dataDir: string): Promise<void> {
  const db: Queryable = tenant.db;
  const s = quoted(tenant.schema);
  const [made] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${s}.transcription`,
  ]);
  if (!made?.there) return;
  const files = new FileStore(dataDir, MAX_BYTES);
  const rows = await db.query<{ id: number; title: string; owner_id: number; duration_s: number | null }>(
    `select id, title, owner_id, duration_s from ${s}.transcription where file is null and state in ('done', 'failed') and engine not like 'file %' order by id`,
  );
  for (const row of rows) {
    const lines = await db.query<{ start_ms: number; end_ms: number; speaker: string | null }>(
      `select start_ms, end_ms, speaker from ${childTable(tenant.schema, 'transcription', 'segments')} where parent_id = $1 order by "position"`,
      [row.id],
    );
    const session = { tenant, userId: row.owner_id } as Session;
    const file = await files.save(
      session,
      `${row.title}.wav`,
      Readable.from([hum(row.duration_s ?? 2, lines)]),
      'transcription.file',
    );
    await db.query(`update ${s}.transcription set file = $2 where id = $1`, [row.id, file.id]);
  }
}
