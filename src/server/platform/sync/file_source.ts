import { join } from 'node:path';
import type { Tenant } from '../../db/tenant.ts';
import { AppError } from '../../db/errors.ts';
import type { ReadRows } from '../../engine/excel/limited_reading.ts';
import { MAX_ROWS, SLICE } from './row_slices.ts';
import type { OpenSource, SourceDeps, SourceKind, SourceRow } from './source_kind.ts';

/** An uploaded file, or a sample of the product's own. */
export const fileSource: SourceKind = {
  open: async (deps, tenant, source) =>
    sourceOf(await deps.reading.rows({ path: await pathOf(deps, tenant, source) }, MAX_ROWS)),
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

/** A parsed file as a source: its columns by the names in its first row. */
export function sourceOf({ heads, rows, problems }: ReadRows): OpenSource {
  const faults = Map.groupBy(problems, ({ row }) => row);
  return {
    columns: heads.filter((head) => head !== '').map((head) => ({ name: head, type: '' })),
    async *rows() {
      for (let at = 0; at < rows.length; at += SLICE)
        yield rows.slice(at, at + SLICE).map(({ row, cells }) => ({
          row,
          cells: Object.fromEntries(
            heads.flatMap((head, index) => (head === '' ? [] : [[head, cells[index] ?? null]])),
          ),
          ...(faults.has(row) && {
            faults: Object.fromEntries(faults.get(row)!.map(({ column, message }) => [heads[column] ?? '', message])),
          }),
        }));
    },
    close: () => Promise.resolve(),
  };
}
