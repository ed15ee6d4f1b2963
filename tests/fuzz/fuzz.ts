import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import type { Call } from './calls.ts';
import { callsOf } from './calls.ts';
import { faultOf, wrongTaken } from './judge.ts';
import { operationsOf } from './operations.ts';
import { sweep } from './sweep.ts';
import type { CallerName, Target } from './target.ts';

/** Goes on as long as somebody listens. */
const ENDLESS = new Set(['/tapi/live']);
/** After this a call is given up. */
const NO_ANSWER_MS = 30_000;

export interface FuzzOptions {
  /** Half of them made at random, half taken from those that go through every type in order. */
  calls: number;
  seed: number;
  /** All calls that go through every type in order, and no others. */
  whole?: boolean;
  /** No answer may take longer, twice. Left out, time does not count: on a busy machine it says nothing. */
  slowMs?: number;
  onProgress?: (done: number) => void;
  onFault?: (fault: Fault) => void;
}

/** An answer that should have been another, with the call to repeat it. */
export interface Fault {
  fault: string;
  curl: string;
  operation: string;
  body: string;
}

export interface FuzzResult {
  /** How many answers there were of each hundred, by the status. */
  statuses: Map<number, number>;
  faults: Fault[];
  operations: number;
  /** The callers that had to sign in again. */
  renewed: number;
}

/** Sends calls made from the OpenAPI document and judges the answers. The same seed makes the same calls. */
export async function fuzz(
  target: Target,
  { calls, seed, whole = false, slowMs, onProgress, onFault }: FuzzOptions,
): Promise<FuzzResult> {
  const operations = (await operationsOf(target)).filter(({ path }) => !ENDLESS.has(path));
  const types = [
    ...new Set(operations.flatMap(({ path, fields }) => (fields.length > 0 ? [path.split('/')[2]!] : []))),
  ];
  // Own calls are fewer than those of record types, and less alike.
  const own = operations.filter(({ fields }) => fields.length === 0);
  const arbitraries = new Map(operations.map((operation) => [operation, callsOf(operation, types)]));
  const one = fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom(...operations) }, { weight: 2, arbitrary: fc.constantFrom(...own) })
    .chain((operation) => arbitraries.get(operation)!);
  const result: FuzzResult = { statuses: new Map(), faults: [], operations: operations.length, renewed: 0 };
  let done = 0;
  // A short run looks at a few types: the first call of a type makes its tables.
  const ordered = await sweep(target, operations, seed, whole ? Infinity : Math.ceil(calls / 40));
  const chosen = whole
    ? ordered
    : [
        ...fc.sample(fc.constantFrom(...ordered), { seed, numRuns: Math.floor(calls / 2) }),
        ...fc.sample(one, { seed, numRuns: Math.ceil(calls / 2) }),
      ];
  for (const call of chosen) {
    const fault = await send(target, call, result, slowMs);
    if (fault) {
      result.faults.push(fault);
      onFault?.(fault);
    }
    onProgress?.(++done);
  }
  return result;
}

async function send(target: Target, call: Call, result: FuzzResult, slowMs = Infinity): Promise<Fault | null> {
  const headers = { ...target.headers(call.caller), ...call.headers };
  const operation = `${call.method} ${call.operation.path}`;
  const first = await timed(target, call, headers);
  const { answer } = first;
  if (answer instanceof Error) {
    result.statuses.set(0, (result.statuses.get(0) ?? 0) + 1);
    return { fault: `no answer: ${answer.message}`, curl: curlOf(call, headers), operation, body: '' };
  }
  const { statusCode } = answer;
  result.statuses.set(statusCode, (result.statuses.get(statusCode) ?? 0) + 1);
  // The first use of a list makes its tables.
  const slowness = async () => {
    const ms = first.ms > slowMs ? (await timed(target, call, headers)).ms : 0;
    return ms > slowMs ? `slow: ${Math.round(ms)} ms` : null;
  };
  const fault =
    faultOf(answer, target.foreignWord, call.caller === 'platform') ??
    (call.refused ? wrongTaken(answer, call.refused.names) : null) ??
    (await slowness());
  const lost = statusCode === 401 || (statusCode === 403 && /password_change|client_deactivated/.test(answer.body));
  if (lost && call.caller !== 'nobody' && call.headers.authorization === undefined && call.headers.host === undefined)
    await renewIfLost(target, call.caller, result);
  return fault === null ? null : { fault, curl: curlOf(call, headers), operation, body: printable(answer.body) };
}

async function timed(
  target: Target,
  { method, url, payload }: Call,
  headers: Record<string, string>,
): Promise<{ answer: LightMyRequestResponse | Error; ms: number }> {
  const from = performance.now();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), NO_ANSWER_MS);
  const answer = await target
    .inject({ method: method as 'GET', url, headers, signal: late.signal, ...(payload !== undefined && { payload }) })
    .catch((error: unknown) => error as Error);
  clearTimeout(timer);
  return { answer, ms: performance.now() - from };
}

/** A caller that signed out, or was locked out, by a call that worked. */
async function renewIfLost(target: Target, caller: CallerName, result: FuzzResult): Promise<void> {
  const { statusCode } = await target.inject({ url: '/tapi/menu', headers: target.headers(caller) });
  if (statusCode === 200) return;
  result.renewed++;
  await target.renew(caller);
}

const printable = (body: string) => body.slice(0, 300).replace(/[^\x20-\x7e\u00a0-\ud7ff]/g, '?');
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call for a shell, with the token left to whoever repeats it. */
function curlOf({ method, url, caller, payload }: Call, headers: Record<string, string>): string {
  const shown = Object.entries(headers).map(([name, value]) =>
    name === 'authorization' && !value.includes('...')
      ? `-H "Authorization: Bearer $${caller.toUpperCase()}"`
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const data =
    payload === undefined
      ? []
      : [`--data-binary ${quoted(payload.length > 1_500 ? `${payload.slice(0, 1_500)}…` : payload)}`];
  return ['curl -g', `-X ${method}`, ...shown, ...data, quoted(`http://127.0.0.1:3000${url}`)].join(' ');
}

/** A few lines on a run. */
export function reportOf({ statuses, faults, operations, renewed }: FuzzResult): string {
  const calls = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const hundreds = new Map<string, number>();
  for (const [status, count] of statuses) {
    const name = status === 0 ? 'not sent' : `${Math.floor(status / 100)}xx`;
    hundreds.set(name, (hundreds.get(name) ?? 0) + count);
  }
  const classes = new Map<string, number>();
  for (const { fault } of faults) {
    const name = fault.replace(/: .*/s, '');
    classes.set(name, (classes.get(name) ?? 0) + 1);
  }
  const list = (counts: Map<string, number>) =>
    [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ');
  return `${calls} calls of ${operations} operations; ${list(hundreds)}; callers renewed: ${renewed}; faults: ${faults.length}${
    faults.length > 0 ? ` (${list(classes)})` : ''
  }`;
}
