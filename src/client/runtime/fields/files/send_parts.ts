import type { CallOptions } from '../../../api/http.ts';
import { ApiError, api, callHeaders, fromBody } from '../../../api/http.ts';
import type { StoredFile } from './stored_file.ts';

/** The delay before a failed part is sent again, in ms. */
const WAITS = [1_000, 3_000, 8_000];

interface Begun {
  upload_id: string;
  offset: number;
  part: number;
}

/** Sends a large file in parts; an interrupted upload resumes, even after the page was closed. */
export async function sendParts(
  target: string,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
  reported: Record<string, string> = {},
): Promise<StoredFile> {
  const memory = `upload ${target} ${file.name} ${file.size} ${file.lastModified}`;
  const known = localStorage.getItem(memory);
  const go = (id: string) => api.get<{ data: Begun }>(`/tapi/files/parts/${id}`, undefined, { quiet: true, signal });
  const begun =
    (known === null ? null : await go(known).catch(() => null)) ??
    (await api.post<{ data: Begun }>(
      '/tapi/files/parts',
      { name: file.name, size: file.size, for: target, ...reported },
      { quiet: true, signal },
    ));
  const { upload_id: id, part } = begun.data;
  let { offset } = begun.data;
  localStorage.setItem(memory, id);
  signal.addEventListener('abort', () => {
    localStorage.removeItem(memory);
    void api.delete(`/tapi/files/parts/${id}`, { quiet: true }).catch(() => undefined);
  });
  for (let tries = 0; ;) {
    onProgress(offset / file.size);
    try {
      const data = await putPart(`/tapi/files/parts/${id}?offset=${offset}`, file.slice(offset, offset + part), signal);
      tries = 0;
      if (data.offset === undefined) {
        localStorage.removeItem(memory);
        return data as StoredFile;
      }
      offset = data.offset;
    } catch (error) {
      const wait = WAITS[tries++];
      const refused = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 409;
      if (refused) localStorage.removeItem(memory);
      if (refused || wait === undefined || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
      offset = (await go(id)).data.offset;
    }
  }
}

/** Sends one part, as it is. @throws ApiError */
export async function putPart(
  path: string,
  part: Blob,
  signal?: AbortSignal,
  options: CallOptions = {},
): Promise<Partial<StoredFile> & { offset?: number }> {
  const headers = { ...callHeaders(options), 'content-type': 'application/octet-stream' };
  const init = { method: 'PUT', headers, body: part, ...(signal && { signal }) };
  const response = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'no_response', 'Unable to contact server');
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw fromBody(response.status, body, response.headers);
  return (body as { data: Partial<StoredFile> & { offset?: number } }).data;
}
