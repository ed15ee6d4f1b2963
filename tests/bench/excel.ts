import { execFileSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STEADY, load, steadyLoad } from './load.ts';
import type { LoadResult, LoadTarget } from './load.ts';

const ROWS = 100_000;

/**
 * 100,000 rows in and out over HTTP, and what that costs others who read lists meanwhile: at a steady pace all the time,
 * and, once more in, as fast as 32 connections can for the first three seconds.
 */
export async function excelBench(
  port: number,
  authorization: string,
  list: LoadTarget,
): Promise<[string, string, string][]> {
  const base = `http://127.0.0.1:${port}/tapi`;
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(base + path, { ...init, headers: { authorization, ...init.headers } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { data: Record<string, unknown> };
  };
  const until = async (path: string, states: string[]) => {
    for (;;) {
      const { data } = await call(path);
      if (states.includes(data.state as string)) return data;
      if (data.state === 'failed' || data.state === 'cancelled')
        throw new Error(`${path}: ${JSON.stringify(data).slice(0, 500)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
    const from = performance.now();
    const result = await work();
    return [(performance.now() - from) / 1000, result];
  };
  /** Reads and checks a sheet, then writes it. @returns seconds of both */
  const bringIn = async (file: string): Promise<[number, number]> => {
    const [check, id] = await timed(async () => {
      const form = new FormData();
      form.append('file', await openAsBlob(file), 'contracts.xlsx');
      const { data: started } = await call('/bench_contract/import', { method: 'POST', body: form });
      const checked = await until(`/import/${String(started.id)}`, ['checked']);
      if (Number(checked.error_count) > 0)
        throw new Error(`The import found errors: ${JSON.stringify(checked.errors).slice(0, 400)}`);
      return String(started.id);
    });
    const [write] = await timed(async () => {
      await call(`/import/${id}/commit`, { method: 'POST' });
      await until(`/import/${id}`, ['imported']);
    });
    return [check, write];
  };
  /** How long it takes others, at a steady pace, while the work is done. */
  const beside = async <T>(work: () => Promise<T>): Promise<[T, LoadResult]> => {
    const stop = steadyLoad(list);
    const result = await work();
    const others = await stop();
    if (others.errors > 0) throw new Error(`${others.errors} lists failed meanwhile.`);
    return [result, others];
  };
  // A client takes 20,000 rows at most until its administrator says otherwise.
  const { data: settings } = await call('/configuration/single');
  await call('/configuration/single', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version: settings.version, import_max_rows: ROWS }),
  });

  const folder = mkdtempSync(join(tmpdir(), 'mainstay-sheets-'));
  try {
    return await measured();
  } finally {
    rmSync(folder, { recursive: true });
  }

  async function measured(): Promise<[string, string, string][]> {
    const [first, second] = ['IMP', 'IMQ'].map((prefix) => {
      const file = join(folder, `${prefix}.xlsx`);
      execFileSync(process.execPath, [
        fileURLToPath(new URL('./workbook.ts', import.meta.url)),
        file,
        prefix,
        String(ROWS),
      ]);
      return file;
    }) as [string, string];
    const [, quiet] = await beside(() => new Promise((resolve) => setTimeout(resolve, 10_000)));
    const [[check, write], duringImport] = await beside(() => bringIn(first));
    const filter = ['number', 'starts', 'IMP/'];
    const [[exportSeconds, exported], duringExport] = await beside(() =>
      timed(async () => {
        const { data: wish } = await call('/bench_contract/export', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ filter }),
        });
        return until(`/export/${String(wish.id)}`, ['done']);
      }),
    );
    const crowd = load(list, 3);
    const [crowdedCheck, crowdedWrite] = await bringIn(second);
    await crowd;
    return [
      [`list, ${STEADY} calls a second, nothing else`, `p99 ${quiet.p99.toFixed(1)} ms`, ''],
      [`import of ${ROWS} rows beside them: dry run, writing`, `${check.toFixed(1)} s, ${write.toFixed(1)} s`, ''],
      [`import of ${ROWS} rows beside them`, `${(check + write).toFixed(1)} s`, '< 10 s'],
      [
        'list p99 during the import ÷ before',
        `${(duringImport.p99 / quiet.p99).toFixed(2)} (${duringImport.p99.toFixed(1)} ms)`,
        '≤ 2',
      ],
      [`export of ${String(exported.done)} rows beside them`, `${exportSeconds.toFixed(1)} s`, '< 10 s'],
      [
        'list p99 during the export ÷ before',
        `${(duringExport.p99 / quiet.p99).toFixed(2)} (${duringExport.p99.toFixed(1)} ms)`,
        '≤ 2',
      ],
      [
        `import of ${ROWS} rows, 32 connections reading lists without a pause for its first 3 s`,
        `${(crowdedCheck + crowdedWrite).toFixed(1)} s (${crowdedCheck.toFixed(1)} + ${crowdedWrite.toFixed(1)})`,
        '',
      ],
    ];
  }
}
