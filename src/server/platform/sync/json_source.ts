import { formatNumber } from '../../../descriptor/format.ts';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { AppError } from '../../db/errors.ts';
import type { Reach } from '../../services/network/outside_address.ts';
import { lookupWithin } from '../../services/network/outside_address.ts';
import { checkedAddress } from './source_address.ts';
import type { From, JsonSource, OpenSource, RawRow } from './source_kind.ts';

/** The maximum size of a page in bytes, and number of pages per run. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PAGES = 5_000;

const refuse = (message: string, field = 'url') =>
  new AppError(422, 'invalid', message, { field, details: [{ field, message }] });

/** The error in the address of a service, or null. `{since}` in it stands for the last change read. */
export function wrongServiceAddress(url: string, plain: boolean): string | null {
  const filled = url.replaceAll('{since}', '0');
  if (!URL.canParse(filled)) return 'Enter a whole address, such as https://erp.example.com/api/stock.';
  const { protocol, username, password } = new URL(filled);
  if (username !== '' || password !== '')
    return 'Leave user name and password out of the address; send them as a header.';
  if (protocol === 'https:' || (protocol === 'http:' && plain)) return null;
  return protocol === 'http:'
    ? 'The address begins with https://. Unencrypted services can only be read inside your own network.'
    : 'The address begins with https://.';
}

/**
 * Opens a service for reading: its first page is requested at once, further ones as rows are consumed. @throws AppError
 * 422 with what to correct
 */
export async function openJson(
  source: JsonSource,
  from: From | null,
  { reach, maxRows }: { reach: Reach; maxRows: number },
): Promise<OpenSource> {
  const wrong = wrongServiceAddress(source.url ?? '', source.private_network === true);
  if (wrong !== null) throw refuse(wrong);
  const first = new URL(source.url!.replaceAll('{since}', encodeURIComponent(beginning(from))));
  const ended = new AbortController();
  const get = async (url: URL): Promise<{ rows: Record<string, unknown>[]; next: URL | null }> => {
    const answer = await ask(url, source, reach, ended.signal);
    const rows = at(answer, source.rows_at ?? '') ?? (source.rows_at ? null : answer);
    const list = Array.isArray(rows) ? rows : source.rows_at ? null : at(answer, 'data');
    if (!Array.isArray(list))
      throw refuse(
        source.rows_at
          ? `There is no list at "${source.rows_at}" in the answer.`
          : 'The answer is not a list. Enter the path to the rows, e.g. data.items.',
        'rows_at',
      );
    const next = source.next_at ? at(answer, source.next_at) : null;
    return { rows: list.map(flat), next: typeof next === 'string' && next !== '' ? onSameServer(next, first) : null };
  };
  const page = await get(first);
  return {
    columns: columnsOf(page.rows),
    empty: page.rows.length === 0,
    async *rows() {
      let row = 0;
      for (let { rows, next } = page, pages = 1; ; pages++) {
        if (row + rows.length > maxRows || pages > MAX_PAGES)
          throw new AppError(
            422,
            'invalid',
            `The service has more than ${formatNumber(maxRows)} rows. Import only changed rows.`,
          );
        yield rows.map((cells): RawRow => ({ row: ++row, cells }));
        if (next === null) return;
        ({ rows, next } = await get(next));
      }
    },
    close: () => Promise.resolve(ended.abort()),
  };
}

/** The last change read, slightly earlier if it is a time; initially the beginning of time. */
function beginning(from: From | null): string {
  if (!from || from.value === null) return '1970-01-01T00:00:00.000Z';
  const time = /^\d{4}-\d\d-\d\d/.test(from.value) ? Date.parse(from.value) : Number.NaN;
  return Number.isNaN(time) ? from.value : new Date(time - from.overlapMinutes * 60_000).toISOString();
}

/** Credentials are only sent to the configured host. */
function onSameServer(next: string, first: URL): URL {
  const url = URL.canParse(next, first) ? new URL(next, first) : null;
  if (url?.origin !== first.origin)
    throw refuse('The next page is on another server; the keys of this one do not go there.', 'next_at');
  return url;
}

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const part of path === '' ? [] : path.split('.'))
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[part] : undefined;
  return found;
}

/** Nested objects become separate columns, `customer.name`; lists are kept as text. */
function flat(row: unknown): Record<string, unknown> {
  const cells: Record<string, unknown> = {};
  const put = (value: unknown, name: string) => {
    if (Array.isArray(value)) cells[name] = JSON.stringify(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) put(inner, name === '' ? key : `${name}.${key}`);
    else if (name !== '') cells[name] = value;
  };
  put(row, '');
  return cells;
}

/** Columns with the type of their values; unknown if rows differ. */
function columnsOf(rows: Record<string, unknown>[]): OpenSource['columns'] {
  const kinds = new Map<string, Set<string>>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      const kind = kinds.get(name) ?? new Set<string>();
      if (value !== null && value !== undefined) kind.add(typeof value);
      kinds.set(name, kind);
    }
  return [...kinds].map(([name, kind]) => ({ name, type: kind.size === 1 ? [...kind][0]! : '' }));
}

async function ask(url: URL, source: JsonSource, reach: Reach, signal: AbortSignal): Promise<unknown> {
  // A numeric address is connected to without a look-up.
  await checkedAddress(url.hostname, reach);
  const seconds = source.statement_timeout_s ?? 300;
  const limit = AbortSignal.timeout(seconds * 1000);
  const headers = Object.fromEntries(
    source.headers.flatMap(({ name, value }) => (value === null ? [] : [[name.toLowerCase(), value]])),
  );
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(
        limit.aborted ? new AppError(503, 'unavailable', `The service did not answer within ${seconds} s.`) : error,
      );
    const call = (url.protocol === 'https:' ? tlsRequest : plainRequest)(
      url,
      {
        agent: false,
        lookup: lookupWithin(reach),
        signal: AbortSignal.any([signal, limit]),
        headers: { 'user-agent': 'Mainstay', accept: 'application/json', ...headers },
      },
      (answer) => {
        const parts: Buffer[] = [];
        let size = 0;
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          size += part.length;
          if (size > MAX_BYTES)
            call.destroy(
              new AppError(422, 'invalid', 'A page of the service has more than 64 MB. Set a smaller page size.'),
            );
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
        );
        answer.on('error', fail);
      },
    );
    call.on('error', fail);
    call.end();
  });
  // Redirects are not followed, because they might lead into the internal network.
  if (status < 200 || status > 299) throw new AppError(503, 'unavailable', `The service answered ${status}.`);
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('The service did not answer in JSON.');
  }
}
