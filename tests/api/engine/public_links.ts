import { describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';

type Row = Record<string, unknown>;
type Answer = Awaited<ReturnType<World['inject']>>;

const text = { $ref: 'types#text', maxLength: 60 };
const type = (title: string, properties: object, more: object) => ({
  $schema: '../meta/screen.schema.json',
  kind: 'document',
  title,
  scope: 'entity',
  access: { screen: 'SCN_ACT_BILL', module: 'MASTERS' },
  label: [Object.keys(properties)[0]],
  schema: { required: [Object.keys(properties)[0]], properties },
  ...more,
});
const offer = (address: string, more: object) =>
  type(
    `Offer ${address}`,
    { name: text, note: { ...text, readOnly: true }, secret: text },
    {
      workflow: {
        states: { open: {}, agreed: {}, gone: { is: 'cancelled' } },
        transitions: {
          agree: {
            from: ['open'],
            to: 'agreed',
            who: ['!requester'],
            ask: ['note!'],
            guard: [{ assert: "note != 'no'", message: 'Say something better.', field: 'note' }],
          },
          back: { from: ['agreed'], to: 'open' },
          withdraw: { from: ['open'], to: 'gone' },
        },
      },
      public: { route: `/act_${address}/public/:token`, may: ['agree'], fields: ['note'], shows: ['name'], ...more },
    },
  );

/** Made-up types with public pages: cards are left at desks, offers are agreed to. */
export const PUBLIC_TYPES: Record<string, object> = {
  open_desk: type('Desk', { name: text, secret: text }, {}),
  open_card: type(
    'Card',
    {
      said: text,
      mood: { enum: ['good', 'bad'] },
      on: { $ref: 'types#date' },
      source: { enum: ['qr', 'phone'], default: 'phone' },
      place: { ...text, readOnly: true },
      desk_id: { $ref: 'types#ref', 'x-ref': 'open_desk' },
    },
    {
      public: {
        route: '/act_card/public/:token',
        token: { type: 'open_desk', path: 'desk_id' },
        may: 'create',
        fields: ['said', 'mood', 'on'],
        set: { source: "'qr'", place: 'desk_id.name' },
        shows: ['name'],
        limit: { token_hour: 4, address_minute: 12 },
        done: 'We have read it.',
      },
    },
  ),
  open_offer: offer('offer', { explains: true, limit: { address_minute: 1000 } }),
  quiet_offer: offer('quiet', { limit: { address_minute: 1000 } }),
};

/** What strangers can do by a link, and what they cannot. */
export function publicLinkCases(known: () => { world: World; acme: TestTenant; admin: Caller; clerk: Caller }): void {
  let calls = 0;
  const papi = (
    token: string,
    body?: object,
    { host = known().acme.host, key = `key-${++calls}-0000`, from = '10.0.0.1' }: Record<string, string> = {},
  ): Promise<Answer> =>
    known().world.inject({
      method: body ? 'POST' : 'GET',
      url: `/papi/${token}`,
      remoteAddress: from,
      headers: { host, ...(body && { 'idempotency-key': key }) },
      ...(body && { payload: body }),
    });
  const said = (answer: Answer) => [answer.statusCode, answer.json<{ error?: { code: string } }>().error?.code];
  const ok = async <T = Row>(answer: Promise<Answer>, status = 200): Promise<T> => {
    const got = await answer;
    expect(got.statusCode, got.body).toBe(status);
    return got.json<{ data: T }>().data;
  };
  const add = async (of: string, record: object) =>
    (await ok<{ id: number }>(known().admin.call('POST', `/tapi/${of}`, record), 201)).id;
  const read = (of: string, id: number) =>
    ok<Row & { version: number }>(known().admin.call('GET', `/tapi/${of}/${id}`));
  const linkOf = async (of: string, id: number) => {
    const [link] = await ok<{ address: string; qr: string }[]>(
      known().admin.call('POST', `/tapi/${of}/${id}/public`, {}),
    );
    expect(link!.qr).toContain('<svg');
    return link!.address.split('/').at(-1)!;
  };
  const step = async (of: string, id: number, name: string) =>
    known().admin.call('POST', `/tapi/${of}/${id}/${name}`, { version: (await read(of, id)).version });
  const cards = async () =>
    (await ok<Row[]>(known().admin.call('GET', '/tapi/open_card?columns=*&sort=id'))).map(({ said: one }) => one);

  describe('a link for new records', () => {
    it('adds a record from fields and presets, once per key, within its limits', async () => {
      const desk = await add('open_desk', { name: 'North gate', secret: 'hidden' });
      const token = await linkOf('open_desk', desk);
      expect(token).toMatch(/^[\w-]{22}$/);
      expect(await linkOf('open_desk', desk)).toBe(token);
      const page = await papi(token);
      expect(page.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(page.headers['content-security-policy']).toContain(`default-src 'none'`);
      const view = page.json<{ data: Row & { acts: { fields: Row[] }[] } }>().data;
      expect(page.body).toContain('North gate');
      expect(page.body).not.toContain('hidden');
      expect(view.acts[0]!.fields).toMatchObject([
        { name: 'said', input: 'text', required: true, max: 60 },
        { name: 'mood', input: 'choice', options: [{ value: 'good' }, { value: 'bad' }] },
        { name: 'on', input: 'date' },
      ]);
      const values = { said: 'All well', mood: 'good', on: '2026-03-01' };
      expect(await ok(papi(token, { act: null, values }, { key: 'twice-000' }))).toMatchObject({
        done: 'We have read it.',
        acts: [],
      });
      await ok(papi(token, { act: null, values }, { key: 'twice-000' }));
      expect(await cards()).toEqual(['All well']);
      const [card] = await ok<(Row & { id: number })[]>(known().admin.call('GET', '/tapi/open_card?columns=*'));
      expect(card).toMatchObject({ source: 'qr', place: 'North gate', desk_id: desk, on: '2026-03-01', created_by: 0 });
      const history = await ok<Row[]>(known().admin.call('GET', `/tapi/open_card/${card!.id}/history`));
      expect(history).toMatchObject([{ op: 'I', what: 'public' }]);
      const other = await papi(token, { act: null, values: { said: 'Other' } }, { key: 'twice-000' });
      expect(said(other)).toEqual([422, 'key_reused']);
      // What is not asked is not taken; the fifth try within the hour is not looked at.
      for (const status of [422, 429])
        expect(
          (await papi(token, { act: null, values: { said: 'x', source: 'phone' } }, { from: '10.0.0.2' })).statusCode,
        ).toBe(status);
      expect(await cards()).toEqual(['All well']);
    });

    it('needs a key, and limits calls from one address', async () => {
      const token = await linkOf('open_desk', await add('open_desk', { name: 'South gate' }));
      const bare = await known().world.inject({
        method: 'POST',
        url: `/papi/${token}`,
        headers: { host: known().acme.host },
        payload: { act: null, values: { said: 'x' } },
        remoteAddress: '10.0.0.3',
      });
      expect([bare.statusCode, bare.body]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
      const answers = [];
      for (let at = 0; at < 13; at++) answers.push((await papi(token, undefined, { from: '10.0.0.4' })).statusCode);
      expect(answers).toEqual([...Array.from({ length: 12 }, () => 200), 429]);
      expect((await papi(token, undefined, { from: '10.0.0.5' })).statusCode).toBe(200);
      const guesses = [];
      for (let at = 0; at < 21; at++)
        guesses.push((await papi('A'.repeat(22), undefined, { from: '10.0.0.6' })).statusCode);
      expect(guesses.at(-1)).toBe(429);
    });

    it('is created only by people who may change its subject, and gives no other access', async () => {
      const desk = await add('open_desk', { name: 'West gate' });
      const token = await linkOf('open_desk', desk);
      expect((await known().clerk.call('POST', `/tapi/quiet_offer/999999/public`, {})).statusCode).toBe(404);
      const stranger = await known().world.inject({
        method: 'GET',
        url: `/tapi/open_desk/${desk}`,
        headers: { host: known().acme.host, authorization: `Bearer ${token}` },
      });
      expect(stranger.statusCode).toBe(401);
      await ok(known().admin.call('DELETE', `/tapi/open_desk/${desk}/public`), 204).catch(() => undefined);
      expect(said(await papi(token))).toEqual([404, 'not_found']);
      expect(await linkOf('open_desk', desk)).not.toBe(token);
    });
  });

  describe('a link to a record’s transitions', () => {
    it('takes a transition with its guards, once, and explains a refusal only if the type allows it', async () => {
      for (const [of, used, past] of [
        ['open_offer', [409, 'done'], [410, 'closed']],
        ['quiet_offer', [404, 'not_found'], [404, 'not_found']],
      ] as const) {
        const id = await add(of, { name: 'Two lifts', secret: 'hidden' });
        const token = await linkOf(of, id);
        const guard = await papi(token, { act: 'agree', values: { note: 'no' } });
        expect([guard.statusCode, guard.body]).toEqual([422, expect.stringContaining('Say something better.')]);
        for (const [act, values, status] of [
          ['agree', {}, 422],
          ['agree', { note: 'yes', secret: 'x' }, 422],
          ['withdraw', {}, 404],
          ['back', {}, 404],
        ] as const)
          expect((await papi(token, { act, values })).statusCode, act).toBe(status);
        expect(await read(of, id)).toMatchObject({ status: 'open', note: null });
        const done = await papi(token, { act: 'agree', values: { note: 'yes' } }, { key: 'agree-0001' });
        expect([done.statusCode, done.body.includes('hidden')]).toEqual([200, false]);
        expect(await read(of, id)).toMatchObject({ status: 'agreed', note: 'yes' });
        // The answer that was lost is answered again; anything else is over.
        await ok(papi(token, { act: 'agree', values: { note: 'yes' } }, { key: 'agree-0001' }));
        expect(said(await papi(token, { act: 'agree', values: { note: 'yes' } }))).toEqual(used);
        expect(said(await papi(token))).toEqual(used);
        const log = await known().acme.sql(
          `select transition, by, cause from {s}.transition_log where record_type = $1 and record_id = $2`,
          [of, id],
        );
        expect(log).toEqual([{ transition: 'agree', by: 0, cause: 'public' }]);

        const other = await add(of, { name: 'One lift' });
        const late = await linkOf(of, other);
        expect((await step(of, other, 'withdraw')).statusCode).toBe(200);
        expect(said(await papi(late))).toEqual(past);
        expect(said(await papi(late, { act: 'agree', values: { note: 'yes' } }))).toEqual(past);
      }
    });

    it('returns the same 404 whether it is guessed, revoked, expired or of another client', async () => {
      const id = await add('open_offer', { name: 'Three lifts' });
      const token = await linkOf('open_offer', id);
      const other = await known().world.tenant();
      const plain = ({ statusCode, body }: Answer) => [
        statusCode,
        JSON.stringify({ ...(JSON.parse(body) as { error: object }).error, request_id: '' }),
      ];
      const guessed = plain(await papi('B'.repeat(22), undefined, { from: '10.0.1.1' }));
      expect(guessed[0]).toBe(404);
      for (const wrong of ['short', `${token}x`, token.slice(1), '%00'])
        expect((await papi(wrong, undefined, { from: '10.0.1.2' })).statusCode, wrong).toBeGreaterThanOrEqual(400);
      expect(plain(await papi(token, undefined, { host: other.host }))).toEqual(guessed);
      expect((await papi(token)).statusCode).toBe(200);
      await known().acme.sql(
        `update {s}.public_token set expires_at = now() - interval '1 minute' where record_type = 'open_offer' and of_id = $1`,
        [id],
      );
      expect(plain(await papi(token))).toEqual(guessed);
      expect(plain(await papi(token, { act: 'agree', values: { note: 'yes' } }))).toEqual(guessed);
      // Sent again it is the same link, with new days.
      expect(await linkOf('open_offer', id)).toBe(token);
      expect((await papi(token)).statusCode).toBe(200);
      await known().admin.call('DELETE', `/tapi/open_offer/${id}/public`);
      expect(plain(await papi(token))).toEqual(guessed);
      expect(await read('open_offer', id)).toMatchObject({ status: 'open' });
    });

    it('is used once even by two people at the same time', async () => {
      const id = await add('open_offer', { name: 'Four lifts' });
      const token = await linkOf('open_offer', id);
      const both = await Promise.all(['one', 'two'].map((note) => papi(token, { act: 'agree', values: { note } })));
      expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const winner = both[0]!.statusCode === 200 ? 'one' : 'two';
      expect(await read('open_offer', id)).toMatchObject({ note: winner, status: 'agreed' });
    });
  });
}
