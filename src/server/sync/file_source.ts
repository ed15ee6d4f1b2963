import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tenant } from '../context.ts';
import { AppError } from '../errors.ts';
import { readSheet } from '../records/excel/sheet_read.ts';
import { MAX_ROWS, SLICE } from './row_slices.ts';
import type { OpenSource, SourceDeps, SourceKind, SourceRow } from './source_kind.ts';

/** A file that somebody uploaded, or a sample of the product's own. */
export const fileSource: SourceKind = {
  open: async (deps, tenant, source) => rowsOfFile(await readFile(await pathOf(deps, tenant, source))),
};

async function pathOf(
  { files, samplesDir }: SourceDeps,
  tenant: Tenant,
  { name, file, sample }: SourceRow,
): Promise<string> {
  if (file !== null) return (await files.open(tenant, file)).path;
  if (sample !== null && /^[a-z][a-z0-9_]*\.csv$/.test(sample)) return join(samplesDir, sample);
  throw new AppError(422, 'invalid', `The source "${name}" has no file yet. Upload one there.`);
}

/** The first sheet of a workbook or CSV file, by the names in its first row. @throws AppError 413, 415, 422 */
export function rowsOfFile(bytes: Buffer): OpenSource {
  const sheet = readSheet(bytes, MAX_ROWS, (cells) => cells.some((cell) => cell !== null && cell !== ''));
  const heads = sheet.heads.map((head) => String(head ?? '').trim());
  return {
    columns: heads.filter((head) => head !== '').map((head) => ({ name: head, type: '' })),
    async *rows() {
      for (let at = 0; at < sheet.rows.length; at += SLICE)
        yield sheet.rows
          .slice(at, at + SLICE)
          .map(({ row, cells }) => ({
            row,
            cells: Object.fromEntries(
              heads.flatMap((head, index) => (head === '' ? [] : [[head, cells[index] ?? null]])),
            ),
          }));
    },
    close: () => Promise.resolve(),
  };
}
