import { api } from '../../api/http.ts';
import type { ColumnChoice, FoundColumns } from './column_choices.ts';

/** An import as the server reports it. */
export interface ImportRun {
  id: number;
  state:
    | 'reading'
    | 'columns'
    | 'checking'
    | 'checked'
    | 'writing'
    | 'imported'
    | 'failed'
    | 'cancelled'
    | 'interrupted';
  done: number;
  total: number;
  insert: number;
  update: number;
  unchanged: number;
  /** `sheet` for child rows in a separate sheet. */
  errors: {
    sheet?: string;
    row: number;
    column: string;
    message: string;
    /** The record that the cell names, if there is none. */
    unknown?: { type: string; name: string };
  }[];
  error_count: number;
  /** Notices about the file besides its errors. */
  notices?: string[];
  /** The columns of the file and their assignment. */
  columns?: FoundColumns | null;
  message?: string | null;
  /** The same file was imported before. */
  before?: { at: string; by: string } | null;
}

export interface ExportRun {
  state: 'running' | 'done' | 'failed' | 'cancelled';
  done: number;
  total: number;
  message?: string | null;
}

export type ImportMode = 'all_or_nothing' | 'good_rows';

const firstPause = 250;
const longestPause = 1500;

/** Polls the progress of a run until it pauses; short runs often, long ones rarely. */
export async function followRun<T extends { state: string }>(
  path: string,
  resting: readonly string[],
  signal: AbortSignal,
  seen: (run: T) => void,
): Promise<T> {
  for (let pause = firstPause; ; pause = Math.min(pause * 1.4, longestPause)) {
    const { data } = await api.get<{ data: T }>(path, undefined, { quiet: true, signal });
    seen(data);
    if (resting.includes(data.state)) return data;
    await sleep(pause, signal);
  }
}

function sleep(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(new DOMException('Stopped.', 'AbortError'));
      },
      { once: true },
    );
  });
}

export async function startImport(
  type: string,
  file: File,
  mode: ImportMode,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const form = new FormData();
  form.append('file', file);
  const { data } = await api.upload<{ data: { id: number } }>(
    `/tapi/${type}/import?mode=${mode}&ask=columns`,
    form,
    onProgress,
    {
      quiet: true,
      signal,
    },
  );
  return data.id;
}

/** Sends the column choices of a file, or requests another sheet, or the columns without the remembered choices. */
export function sayColumns(id: number, said: ColumnsSaid): Promise<unknown> {
  return api.post(`/tapi/import/${id}/columns`, said, { quiet: true });
}

export interface ColumnsSaid {
  sheet?: string;
  columns?: ColumnChoice[];
  reset?: true;
}

/** The content of a list, for its export: the list's parameters, the visible columns, or only selected records. */
export interface ExportWish {
  parameters: Record<string, string>;
  columns: string[];
  ids?: number[];
}

export async function startExport(type: string, { parameters, columns, ids }: ExportWish): Promise<number> {
  const body = { ...parameters, columns, ...(ids && { ids: ids.join(','), active: 'all' }) };
  const { data } = await api.post<{ data: { id: number } }>(`/tapi/${type}/export`, body, { quiet: true });
  return data.id;
}

/** Opens the finished workbook by its signed address; the browser saves it. */
export async function saveExport(id: number): Promise<void> {
  const { url } = await api.get<{ url: string }>(`/tapi/export/${id}/link`, undefined, { quiet: true });
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/** Undoes an import as a whole. */
export async function undoImport(id: number): Promise<{ removed: number; restored: number }> {
  return (await api.post<{ data: { removed: number; restored: number } }>(`/tapi/import/${id}/undo`)).data;
}

export function cancelRun(kind: 'import' | 'export', id: number): Promise<unknown> {
  return api.post(`/tapi/${kind}/${id}/cancel`, undefined, { quiet: true });
}

/** The empty workbook with headings, drop-downs and a help row. */
export function downloadTemplate(type: string): Promise<void> {
  return api.download(`/tapi/${type}/template.xlsx`);
}
