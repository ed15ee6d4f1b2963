import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant } from '../world.ts';

// Contracts whose lines are records of their own, with prices a month as rows and stops as parts of parts.

type Row = Record<string, unknown>;
type Line = Row & { id: number; version: number; prices: Row[]; stops: (Row & { id: number })[] };
type Contract = Row & { id: number; version: number; lines: Line[]; kinds: Row[] };

const CONTRACT = 'service_contract_erp';
const LINE = 'contract_line_erp';
const STOP = 'contract_stop_erp';
export const CONTRACT_CODE = 'SCN_ERP_CONTRACT';

interface People {
  acme: TestTenant;
  /** Sees and changes all contracts. */
  seller: Caller;
  /** Another who may do the same. */
  other: Caller;
  /** Has no right to contracts. */
  stranger: Caller;
  /** Sees own contracts alone. */
  alone: Caller;
}

/** The tests of rows that are records of their own; `people` are there when the tests run. */
export function contractTests(people: () => People): void {
  const ask = (method: string, address: string, body?: object, by = people().seller) =>
    by.call(method as 'GET', address, body);
  const ok = async <T = Contract>(method: string, address: string, body?: object, status = 200): Promise<T> => {
    const answer = await ask(method, address, body);
    expect(answer.statusCode, answer.body).toBe(status);
    return answer.json<{ data: T }>().data;
  };
  const price = (month: string, amount: string, id?: unknown) => ({ ...(id !== undefined && { id }), month, amount });
  const add = (lines: Row[], more: Row = {}) =>
    ok('POST', `/tapi/${CONTRACT}`, { customer: 'Towers', signed_on: '2026-04-01', lines, ...more }, 201);
  const read = (id: number) => ok('GET', `/tapi/${CONTRACT}/${id}`);
  const put = (record: Row, set: Row, status = 200) =>
    ok('PUT', `/tapi/${CONTRACT}/${String(record.id)}`, { version: record.version, ...set }, status);
  const refusal = async (method: string, address: string, body: object, by?: Caller) => {
    const answer = await ask(method, address, body, by);
    return {
      status: answer.statusCode,
      ...answer.json<{ error: { code: string; message: string; field?: string; details?: Row[] } }>().error,
    };
  };
  const history = (type: string, id: number) => ok<{ op: string; change: Row }[]>('GET', `/tapi/${type}/${id}/history`);

  describe('rows stored as records', () => {
    let made: Contract;
    beforeAll(async () => {
      made = await add([
        {
          lift: 'A',
          prices: [price('2026-04', '100.00'), price('2026-05', '50.50')],
          stops: [{ floor: 'G' }, { floor: '1' }],
        },
        { lift: 'B', kind: 'repair', prices: [price('2026-04', '10')] },
      ]);
    });

    it('are saved with their record, their own rows and all computed values', async () => {
      expect(made).toMatchObject({
        total: '160.50',
        stops: 2,
        kinds: [
          { kind: 'service', total: '150.50' },
          { kind: 'repair', total: '10.00' },
        ],
        lines: [
          {
            lift: 'A',
            yearly: '150.50',
            status: 'running',
            stop_count: 2,
            version: 1,
            stops: [{ floor: 'G' }, { floor: '1' }],
          },
          { lift: 'B', yearly: '10.00', prices: [{ month: '2026-04', amount: '10.00' }] },
        ],
      });
      expect(made.lines.map(({ line_no }) => line_no)).toEqual(['L00001', 'L00002']);
      expect(await read(made.id)).toMatchObject({ total: '160.50', lines: made.lines });
    });

    it('are written and published only if they differ', async () => {
      const [a, b] = made.lines as [Line, Line];
      const after = await put(made, {
        lines: [
          { ...b, version: undefined },
          { ...a, note: 'Night', stops: [{ ...a.stops[1], door: 'Left' }, { floor: '2' }] },
          { lift: 'C', prices: [] },
        ],
      });
      expect(after.lines.map(({ lift, version }) => [lift, version])).toEqual([
        ['B', 1],
        ['A', 2],
        ['C', 1],
      ]);
      expect(after.lines[1]).toMatchObject({
        id: a.id,
        note: 'Night',
        stops: [{ id: a.stops[1]!.id, door: 'Left' }, { floor: '2' }],
      });
      const [told] = await history(CONTRACT, made.id);
      const lines = told!.change.lines as Record<string, Row>;
      expect(new Set(Object.keys(lines))).toEqual(new Set([String(a.id), String(b.id), `+${after.lines[2]!.id}`]));
      expect(lines[b.id]).toEqual({ position: [1, 0] });
      expect(lines[a.id]).toMatchObject({
        note: [null, 'Night'],
        stops: {
          [a.stops[1]!.id]: { door: [null, 'Left'] },
          [`-${a.stops[0]!.id}`]: { floor: 'G' },
          [`+${after.lines[1]!.stops[1]!.id}`]: { floor: '2' },
        },
      });
      expect((await history(LINE, a.id)).map(({ op }) => op)).toEqual(['U', 'I']);
      expect((await history(LINE, b.id)).map(({ op }) => op)).toEqual(['I']);
      expect((await history(STOP, a.stops[1]!.id))[0]).toMatchObject({ op: 'U', change: { door: [null, 'Left'] } });
      made = after;
    });

    it('report the row and the field of an error, and nothing is saved', async () => {
      const lines = structuredClone(made.lines);
      lines[1]!.prices = [price('2026-04', '1'), price('2026-13', '1')];
      lines[2]!.lift = '';
      const wrong = await refusal('PUT', `/tapi/${CONTRACT}/${made.id}`, { version: made.version, lines });
      expect(wrong.status).toBe(422);
      expect(new Set(wrong.details!.map(({ field }) => field))).toEqual(
        new Set(['lines.1.prices.1.month', 'lines.2.lift']),
      );
      const dear = await refusal('PUT', `/tapi/${CONTRACT}/${made.id}`, {
        version: made.version,
        customer: 'Changed',
        lines: [...made.lines, { lift: 'D', prices: [price('2026-04', '100000.01')] }],
      });
      expect(dear).toMatchObject({ status: 422, field: 'lines.3.lift', message: 'A line is at most 1,00,000.' });
      const twice = await refusal('PUT', `/tapi/${CONTRACT}/${made.id}`, {
        version: made.version,
        lines: [{ ...made.lines[0], prices: [price('2026-04', '1'), price('2026-04', '2')] }],
      });
      expect(twice).toMatchObject({ status: 422, field: 'lines.0.prices.1.month' });
      expect(await read(made.id)).toMatchObject(made);
    });

    it('are changed at their own address as rows of their record, with its version, rights and states', async () => {
      const [b, a] = made.lines as [Line, Line];
      const own = await ok<Row>('PUT', `/tapi/${LINE}/${a.id}`, {
        version: a.version,
        prices: [price('2026-06', '70')],
      });
      expect(own).toMatchObject({ id: a.id, version: a.version + 1, yearly: '70.00', contract_id: made.id });
      const after = await read(made.id);
      expect(after).toMatchObject({ version: made.version + 1, total: '80.00' });
      expect(await refusal('PUT', `/tapi/${LINE}/${a.id}`, { version: a.version, note: 'Late' })).toMatchObject({
        status: 409,
        code: 'stale_version',
      });
      const stale = await refusal('PUT', `/tapi/${CONTRACT}/${made.id}`, { version: made.version, lines: made.lines });
      expect(stale).toMatchObject({ status: 409, code: 'stale_version', field: 'lines.1' });
      const added = await ok<Line>('POST', `/tapi/${LINE}`, { contract_id: made.id, lift: 'D' }, 201);
      expect(added).toMatchObject({ contract_id: made.id, lift: 'D', status: 'running' });
      const stop = await ok<Row>('POST', `/tapi/${STOP}`, { line_id: added.id, floor: '9' }, 201);
      expect((await read(made.id)).stops).toBe(3);
      expect((await ask('DELETE', `/tapi/${STOP}/${String(stop.id)}`, undefined, people().other)).statusCode).toBe(204);
      expect((await ask('DELETE', `/tapi/${LINE}/${added.id}`, undefined, people().other)).statusCode).toBe(204);
      made = await read(made.id);
      expect(made).toMatchObject({ stops: 2, lines: [{ id: b.id }, { id: a.id }, { lift: 'C' }] });
      const bulk = await ok<{ changed: number[] }>('PUT', `/tapi/${LINE}/bulk`, { ids: [b.id], set: { note: 'Bulk' } });
      expect(bulk.changed).toEqual([b.id]);
      expect((await read(made.id)).version).toBe(made.version + 1);
      made = await read(made.id);
      for (const [method, address, body] of [
        ['GET', `/tapi/${LINE}`, undefined],
        ['GET', `/tapi/${LINE}/${a.id}`, undefined],
        ['PUT', `/tapi/${LINE}/${a.id}`, { version: 1, note: 'x' }],
        ['POST', `/tapi/${LINE}/${a.id}/stop`, { version: 1 }],
      ] as const)
        expect((await ask(method, address, body, people().stranger)).statusCode, address).toBe(403);
      const { alone } = people();
      expect((await ask('GET', `/tapi/${LINE}/${a.id}`, undefined, alone)).statusCode).toBe(404);
      expect((await ask('PUT', `/tapi/${LINE}/${a.id}`, { version: a.version + 1, note: 'x' }, alone)).statusCode).toBe(
        404,
      );
      expect((await ask('POST', `/tapi/${LINE}`, { contract_id: made.id, lift: 'X' }, alone)).statusCode).toBe(404);
      expect((await ask('GET', `/tapi/${LINE}`, undefined, alone)).json<{ data: Row[] }>().data).toEqual([]);
      expect((await refusal('PUT', `/tapi/${LINE}/${a.id}`, { version: a.version + 1, contract_id: 999 })).field).toBe(
        'contract_id',
      );
      expect((await refusal('POST', `/tapi/${LINE}/${a.id}/deactivate`, { version: 1 }, people().other)).status).toBe(
        409,
      );
    });

    it('follow the states of their record, have their own transitions, and can move it', async () => {
      const signed = await ok('POST', `/tapi/${CONTRACT}/${made.id}/sign`, { version: made.version }).catch(() => null);
      expect(signed).toBeNull();
      const lines = made.lines.map((line) => (line.lift === 'C' ? { ...line, prices: [price('2026-04', '5')] } : line));
      made = await put(made, { lines });
      made = await ok('POST', `/tapi/${CONTRACT}/${made.id}/sign`, { version: made.version });
      const [b, a, c] = made.lines as [Line, Line, Line];
      expect((await refusal('PUT', `/tapi/${LINE}/${a.id}`, { version: a.version, lift: 'Z' })).message).toContain(
        'Signed',
      );
      expect((await refusal('DELETE', `/tapi/${LINE}/${a.id}`, {})).status).toBeGreaterThanOrEqual(400);
      expect((await refusal('POST', `/tapi/${STOP}`, { line_id: a.id, floor: '4' })).message).toContain('Signed');
      expect(await ok<Row>('PUT', `/tapi/${LINE}/${a.id}`, { version: a.version, note: 'Open here' })).toMatchObject({
        note: 'Open here',
      });
      expect(
        (await refusal('PUT', `/tapi/${LINE}/${a.id}`, { version: a.version + 1, status: 'stopped' })).status,
      ).toBe(422);
      const before = (await read(made.id)).version;
      for (const { id } of [b, a]) {
        const { version } = await ok<Line>('GET', `/tapi/${LINE}/${id}`);
        await ok('POST', `/tapi/${LINE}/${id}/stop`, { version });
      }
      made = await read(made.id);
      expect(made).toMatchObject({ status: 'signed', version: before + 2 });
      const [told] = await history(CONTRACT, made.id);
      expect(told!.change).toMatchObject({ lines: { [a.id]: { status: ['running', 'stopped'] } } });
      const call = await ok<Row>('POST', '/tapi/lift_call_erp', { line_id: c.id, what: 'Stuck' }, 201);
      expect(call.line_id__label).toBe(c.line_no);
      await ok('POST', `/tapi/${LINE}/${c.id}/stop`, { version: c.version });
      expect(await read(made.id)).toMatchObject({ status: 'ended' });
    });

    it('are copied by a revision, and deleted with their record unless they are referenced', async () => {
      const first = await add([{ lift: 'R', prices: [price('2026-04', '9')], stops: [{ floor: 'G' }] }]);
      const signed = await ok('POST', `/tapi/${CONTRACT}/${first.id}/sign`, { version: first.version });
      const revised = await ok<Row>('POST', `/tapi/${CONTRACT}/${first.id}/revise`, { version: signed.version });
      const copy = await read(Number((revised._revision as Row | undefined)?.id ?? revised._revision));
      expect(copy).toMatchObject({
        revision: 1,
        lines: [{ lift: 'R', prices: [{ amount: '9.00' }], stops: [{ floor: 'G' }] }],
      });
      expect(copy.lines[0]!.id).not.toBe(first.lines[0]!.id);
      expect(copy.lines[0]!.line_no).not.toBe(first.lines[0]!.line_no);

      const gone = await add([{ lift: 'X', prices: [price('2026-04', '1')], stops: [{ floor: 'G' }] }]);
      const [line] = gone.lines as [Line];
      const call = await ok<Row>('POST', '/tapi/lift_call_erp', { line_id: line.id, what: 'Stuck' }, 201);
      const { other } = people();
      const inUse = await other.call('DELETE', `/tapi/${CONTRACT}/${gone.id}`);
      expect(inUse.statusCode).toBe(409);
      expect(inUse.json<{ error: { code: string; message: string } }>().error).toMatchObject({
        code: 'in_use',
        message: expect.stringContaining('lift call') as string,
      });
      expect(
        (await refusal('PUT', `/tapi/${CONTRACT}/${gone.id}`, { version: gone.version, lines: [{ lift: 'Y' }] })).code,
      ).toBe('in_use');
      await ok('POST', `/tapi/${LINE}/${line.id}/stop`, { version: line.version });
      expect(
        await refusal('PUT', `/tapi/${CONTRACT}/${gone.id}`, { version: gone.version + 1, lines: [{ lift: 'Y' }] }),
      ).toMatchObject({ code: 'bad_state', message: expect.stringContaining('Stopped') as string });
      expect((await other.call('DELETE', `/tapi/lift_call_erp/${String(call.id)}`)).statusCode).toBe(204);
      expect((await other.call('DELETE', `/tapi/${CONTRACT}/${gone.id}`)).statusCode).toBe(204);
      for (const [type, id] of [
        [LINE, line.id],
        [STOP, line.stops[0]!.id],
      ] as const)
        expect((await ask('GET', `/tapi/${type}/${id}`)).statusCode).toBe(404);
    });

    it('become rows of a follow-up document, which settles with them', async () => {
      const draft = await add([
        { lift: 'M', prices: [price('2026-04', '9')] },
        { lift: 'N', prices: [price('2026-04', '9')] },
      ]);
      const signed = await ok('POST', `/tapi/${CONTRACT}/${draft.id}/sign`, { version: draft.version });
      const begin = () => ok<Row>('GET', `/tapi/lift_visit_erp/new?from=${CONTRACT}/${signed.id}&make=visit`);
      const first = (await begin()) as Row & { works: Row[] };
      expect(first.works).toMatchObject([
        { lift: 'M', visits: '1' },
        { lift: 'N', visits: '1' },
      ]);
      first.works[0]!.visits = '3';
      const visit = await ok<Row>('POST', '/tapi/lift_visit_erp', first, 201);
      const settled = await read(signed.id);
      expect(settled.lines).toMatchObject([{ visited: '3.000' }, { visited: '1.000' }]);
      expect(settled.lines.map(({ version }) => version)).toEqual([2, 2]);
      const more = (await begin()) as Row & { works: Row[] };
      expect(more.works).toMatchObject([{ lift: 'N' }]);
      more.works[0]!.visits = '4';
      expect(await refusal('POST', '/tapi/lift_visit_erp', more)).toMatchObject({ status: 409, field: 'works' });
      expect(
        (await ask('DELETE', `/tapi/lift_visit_erp/${String(visit.id)}`, undefined, people().other)).statusCode,
      ).toBe(204);
      expect((await read(signed.id)).lines).toMatchObject([{ visited: '0.000' }, { visited: '0.000' }]);
      const forged = settled.lines.map((line) => ({ ...line, visited: '2', note: 'Seen', version: undefined }));
      const kept = await put(await read(signed.id), { lines: forged });
      expect(kept.lines).toMatchObject([{ visited: '0.000', note: 'Seen' }, { visited: '0.000' }]);
    });

    it('agree with a simple model after random edits', async () => {
      const amount = fc.integer({ min: 0, max: 9_999 }).map((cents) => (cents / 100).toFixed(2));
      const month = fc.integer({ min: 1, max: 6 });
      const edit = fc.oneof(
        fc.record({
          do: fc.constant('add' as const),
          lift: fc.constantFrom('P', 'Q', 'R'),
          prices: fc.uniqueArray(fc.tuple(month, amount), { maxLength: 3, selector: ([at]) => at }),
        }),
        fc.record({ do: fc.constant('drop' as const), at: fc.nat(9) }),
        fc.record({ do: fc.constant('note' as const), at: fc.nat(9), note: fc.constantFrom('x', 'y', null) }),
        fc.record({ do: fc.constant('price' as const), at: fc.nat(9), month, amount }),
        fc.record({ do: fc.constant('stop' as const), at: fc.nat(9), floor: fc.constantFrom('G', '1') }),
        fc.record({ do: fc.constant('turn' as const) }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 }),
          async (saves) => {
            let now = await add([{ lift: 'First', prices: [] }]);
            for (const edits of saves) {
              const model = structuredClone(now.lines) as (Row & { prices: Row[]; stops: Row[] })[];
              for (const one of edits) {
                const line = 'at' in one ? model[one.at % model.length]! : undefined;
                if (one.do === 'add')
                  model.push({
                    lift: one.lift,
                    note: null,
                    prices: one.prices.map(([at, sum]) => price(`2026-0${at}`, sum)),
                    stops: [],
                  });
                else if (one.do === 'turn') model.reverse();
                else if (one.do === 'drop' && model.length > 1) model.splice(one.at % model.length, 1);
                else if (one.do === 'note') line!.note = one.note;
                else if (one.do === 'stop') line!.stops.push({ floor: one.floor });
                else if (one.do === 'price') {
                  const held = line!.prices.find((row) => row.month === `2026-0${one.month}`);
                  if (held) held.amount = one.amount;
                  else line!.prices.push(price(`2026-0${one.month}`, one.amount));
                }
              }
              const earlier = new Map(now.lines.map((line) => [line.id, line]));
              const after = await put(now, { lines: model });
              const seen = (lines: Row[]) =>
                lines.map(({ lift, note, prices, stops }) => ({
                  lift,
                  note: note ?? null,
                  prices: (prices as Row[]).map((row) => [row.month, row.amount]),
                  stops: (stops as Row[]).map(({ floor }) => floor),
                }));
              expect(seen(after.lines)).toEqual(seen(model));
              const cents = model
                .flatMap(({ prices }) => prices)
                .reduce((sum, row) => sum + Math.round(Number(row.amount) * 100), 0);
              expect(after.total).toBe((cents / 100).toFixed(2));
              for (const [at, line] of after.lines.entries()) {
                const old = earlier.get(line.id);
                const isChanged = old && JSON.stringify(seen([old])) !== JSON.stringify(seen([model[at]!]));
                expect(line.version).toBe(old ? old.version + (isChanged ? 1 : 0) : 1);
              }
              now = after;
            }
          },
        ),
        { numRuns: 8 },
      );
    });
  });
}
