import { recompute } from '../../src/descriptor/validate.ts';
import { hashPassword, isPassword } from '../../src/server/access/sessions/password.ts';
import { readToken, signToken, tokenReader } from '../../src/server/access/sessions/token.ts';
import { compile, sample, screenOf } from '../unit/descriptor/fixtures/compile_sample.ts';
import type { BenchRow } from './table.ts';

const TURNS = 12;

/** The shortest of several turns, ms. */
async function best(work: () => unknown, turns = TURNS): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  return Math.min(...times);
}

/** What the server computes without database or browser: formulas, descriptors, passwords, tokens. */
export async function computeBench(): Promise<Omit<BenchRow, 'section'>[]> {
  const properties: Record<string, unknown> = { qty: { $ref: 'types#quantity' } };
  for (let index = 1; index <= 30; index++)
    properties[`c${index}`] = { $ref: 'types#decimal', 'x-formula': index === 1 ? 'qty * 2' : `c${index - 1} + qty` };
  const screen = screenOf(
    {},
    {
      lines: { type: 'array', items: { type: 'object', properties } },
      total: { $ref: 'types#decimal', 'x-formula': 'sum(lines.c30)' },
    },
  );
  const record = { lines: Array.from({ length: 1_000 }, (_, index) => ({ qty: `${index % 7}.5` })) };
  const before = recompute(screen, record);
  const lines = before.lines as object[];
  const changed = { ...before, lines: lines.with(3, { ...lines[3], qty: '9.5' }) };
  const all = await best(() => recompute(screen, record));
  const one = await best(() => recompute(screen, changed, { before }));

  const fields = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [`f${index}`, { $ref: index % 3 === 0 ? 'types#money' : 'types#text' }]),
  );
  const descriptors = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [
      `type_${index}`,
      sample(
        { rules: [{ assert: 'f0 < f3', message: 'No.' }] },
        { other_id: { $ref: 'types#ref', 'x-ref': `type_${(index * 7) % 400}` }, ...fields },
      ),
    ]),
  );
  const compiled = await best(() => compile(descriptors), 3);

  const hash = await hashPassword('Lift-2025 monsoon kettle');
  const wrong = await best(() => isPassword('wrong password', hash));
  const unknown = await best(() => isPassword('wrong password', null));

  const keys = [{ id: 'k1', key: Buffer.alloc(32, 7) }];
  const sid = '5f0c2c9e-8a1b-4c1e-9d57-2f6a1c3e4b01';
  const token = await signToken({ iss: 'mainstay', aud: 'cmp_acme', sub: '7', sid, iat: 1, exp: 2 }, keys);
  const remembered = tokenReader(() => keys);
  const times = (work: () => Promise<unknown>) => async () => {
    for (let count = 0; count < 1_000; count++) await work();
  };
  // A thousand take as many milliseconds as one takes microseconds.
  const verified = await best(times(() => readToken(token, keys)));
  const again = await best(times(() => remembered(token)));

  return [
    { what: '30,000 dependent formulas, warm', measured: `${all.toFixed(1)} ms`, reference: '', target: '< 20 ms' },
    { what: 'the same after one row of 1,000 changed', measured: `${one.toFixed(1)} ms`, reference: '', target: '' },
    { what: '400 descriptors compiled', measured: `${Math.round(compiled)} ms`, reference: '', target: '' },
    {
      what: 'password of an unknown user ÷ a wrong password',
      measured: (unknown / wrong).toFixed(2),
      reference: `${wrong.toFixed(1)} ms`,
      target: '≤ 1.5',
    },
    {
      what: 'session token known from an earlier call; reference: verified anew',
      measured: `${again.toFixed(2)} µs`,
      reference: `${verified.toFixed(0)} µs`,
      target: '',
    },
  ];
}
