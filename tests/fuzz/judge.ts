import type { LightMyRequestResponse } from 'fastify';

const LEAKS: [what: string, pattern: RegExp][] = [
  [
    'SQL text',
    /syntax error at or near|violates [\w-]+ constraint|relation "[^"]*" does not exist|column "[^"]*" does not exist|invalid input syntax|out of range for type|SQLSTATE|pg_catalog|"cmp_\w+"\."|::bigint|\bwhere t\./,
  ],
  [
    'a stack trace',
    /\n\s+at [\w.<> [\]]+ ?\(|\bat (?:async )?[\w.<>]+ \((?:file:|\/|node:)|at file:\/\/|node:internal/,
  ],
  ['a file path', /node_modules\/|\/src\/(?:server|descriptor|domain)\/|\/tmp\/|\/home\/\w|\/root\/|[\\/]\w+\.ts:\d/],
  [
    'the text of a program’s error',
    /Cannot read propert|is not a function|is not iterable|undefined \(reading|Unexpected token/,
  ],
];
/** What is the product's own text, not an answer about somebody's call. */
const SHIPPED = /javascript|css|image|font|spreadsheet|pdf|zip/;

/** What a wrong value was answered with, where that is no refusal of it; rights and states may refuse the call before. */
export function wrongTaken(
  { statusCode, body }: LightMyRequestResponse,
  names: readonly string[] | undefined,
): string | null {
  if (statusCode < 400) return `a wrong value was taken: ${statusCode}`;
  if (names === undefined || (statusCode !== 400 && statusCode !== 422)) return null;
  const { error } = JSON.parse(body) as { error: { field?: string | null; details?: { field: string }[] | null } };
  // The company that somebody works in is asked for before the record is looked at.
  if (statusCode === 400 && !error.field) return null;
  const places = [error.field, ...(error.details ?? []).map(({ field }) => field)];
  return names.some((name) => places.some((place) => place === name || place?.startsWith(`${name}.`)))
    ? null
    : 'a refusal that does not name the field';
}

/** What is wrong with an answer, or null. */
export function faultOf(answer: LightMyRequestResponse, foreignWord: string, seesAll: boolean): string | null {
  const { statusCode, body, headers } = answer;
  if (statusCode >= 500) return String(statusCode);
  const type = String(headers['content-type'] ?? '');
  if (!SHIPPED.test(type))
    for (const [what, pattern] of LEAKS) if (pattern.test(body)) return `${what}: ${pattern.exec(body)![0].trim()}`;
  if (!seesAll && body.includes(foreignWord)) return 'data of another client';
  if (statusCode >= 400 && type.startsWith('application/json') && !isRefusal(body))
    return 'a refusal that says nothing';
  return null;
}

function isRefusal(body: string): boolean {
  const { error, data } = JSON.parse(body) as {
    error?: { code?: unknown; message?: unknown };
    data?: { known?: unknown };
  };
  // The sign-in page of a host that is not known is drawn from its answer.
  if (data?.known === false) return true;
  return typeof error?.code === 'string' && typeof error.message === 'string' && error.message !== '';
}
