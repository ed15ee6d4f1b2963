import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as XLSX from 'xlsx';
import type { LoadResult } from './load.ts';

const ROWS = 100_000;

/** 100,000 rows in and out over HTTP, and what a list costs others meanwhile. */
export async function excelBench(port: number, authorization: string, list: () => Promise<LoadResult>): Promise<[string, string, string][]> {
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
      if (data.state === 'failed' || data.state === 'cancelled') throw new Error(`${path}: ${JSON.stringify(data).slice(0, 500)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  // A client takes 20,000 rows at most until its administrator says otherwise.
  const { data: settings } = await call('/configuration/single');
  await call('/configuration/single', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ version: settings.version, import_max_rows: ROWS }) });
  const sheet = XLSX.utils.aoa_to_sheet([
    ['Number', 'Title', 'Branch', 'Customer', 'Lift make', 'Status', 'Amount', 'Quantity', 'Start', 'Remarks'],
    ...Array.from({ length: ROWS }, (_, index) => [`IMP/${index}`, `Imported ${index}`, 'Chennai', `C${(index % 20_000) + 1}`, `M${(index % 200) + 1}`, 'Active', index * 1.25, index % 50, new Date(Date.UTC(2025, index % 12, 1 + (index % 28))), 'From a sheet']),
  ]);
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, sheet, 'Sheet1');
  const bytes = XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
  writeFileSync(join(tmpdir(), 'mainstay-bench-import.xlsx'), bytes);

  const quiet = await list();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'contracts.xlsx');
  let from = performance.now();
  const { data: started } = await call('/bench_contract/import', { method: 'POST', body: form });
  const during = list();
  const checked = await until(`/import/${String(started.id)}`, ['checked']);
  const checkSeconds = (performance.now() - from) / 1000;
  if (Number(checked.error_count) > 0) throw new Error(`The import found errors: ${JSON.stringify(checked.errors).slice(0, 400)}`);
  from = performance.now();
  await call(`/import/${String(started.id)}/commit`, { method: 'POST' });
  await until(`/import/${String(started.id)}`, ['imported']);
  const writeSeconds = (performance.now() - from) / 1000;
  const busy = await during;

  from = performance.now();
  const filter = ['number', 'starts', 'IMP/'];
  const { data: wish } = await call('/bench_contract/export', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ filter }) });
  const duringExport = list();
  const exported = await until(`/export/${String(wish.id)}`, ['done']);
  const exportSeconds = (performance.now() - from) / 1000;
  const busyExport = await duringExport;
  return [
    [`import of ${ROWS} rows: dry run`, `${checkSeconds.toFixed(1)} s`, ''],
    [`import of ${ROWS} rows: dry run and writing, lists read by 32 meanwhile`, `${(checkSeconds + writeSeconds).toFixed(1)} s`, '< 10 s'],
    ['list p99 during the import ÷ before', (busy.p99 / quiet.p99).toFixed(2), '≤ 2'],
    [`export of ${String(exported.done)} rows, lists read by 32 meanwhile`, `${exportSeconds.toFixed(1)} s`, '< 10 s'],
    ['list p99 during the export ÷ before', (busyExport.p99 / quiet.p99).toFixed(2), '≤ 2'],
  ];
}
