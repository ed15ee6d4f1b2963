import { expect, it } from 'vitest';
import { operationOf, readScope } from '../../../../src/server/integrations/key_scopes.ts';
import { isOf, readNetworks } from '../../../../src/server/integrations/networks.ts';
import {
  INSIDE_MESSAGE,
  allowHosts,
  isInside,
  outsideLookup,
  wrongAddress,
} from '../../../../src/server/integrations/outside_address.ts';
import { postOutside, webhookSignature } from '../../../../src/server/integrations/webhook_call.ts';

it('signs as the standard’s example', () => {
  const secret = 'whsec_TWZLUTlyOEdLWXFyVHdqVVBEOElMUFpJbzJMYUxhU3c=';
  const body = '{"type":"employee.created","entity_id":1,"record":{"id":42,"empno":"E0042"}}';
  const signature = 'v1,xVigBKY4Imuj4bOHwZ5+SXqxvXdQf8vbwK5IGDMiydo=';
  expect(webhookSignature([secret], 'msg_01HZX3', 1718000000, body)).toBe(signature);
  expect(webhookSignature([secret, secret], 'msg_01HZX3', 1718000000, body)).toBe(`${signature} ${signature}`);
});

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'no address',
])('%s is inside', (address) => expect(isInside(address)).toBe(true));
it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '169.253.1.1', '2606:4700::1111'])('%s is outside', (address) =>
  expect(isInside(address)).toBe(false),
);

it.each([
  ['https://127.0.0.1/x', INSIDE_MESSAGE],
  ['https://2130706433/x', INSIDE_MESSAGE],
  ['https://0x7f.1/x', INSIDE_MESSAGE],
  ['https://[::1]/x', INSIDE_MESSAGE],
  ['https://[::ffff:169.254.169.254]/x', INSIDE_MESSAGE],
  ['https://localhost/x', INSIDE_MESSAGE],
  ['https://LOCALHOST./x', INSIDE_MESSAGE],
  ['https://metadata.google.internal/x', INSIDE_MESSAGE],
  ['https://intranet/x', INSIDE_MESSAGE],
  ['http://hooks.example.com/x', 'The address begins with https://.'],
  ['ftp://hooks.example.com/x', 'The address begins with https://.'],
  ['https://user:word@hooks.example.com/x', 'Leave user name and password out of the address; send them as a header.'],
  ['https://hooks.example.com/x', null],
  ['https://8.8.8.8/x', null],
])('%s: %s', (address, wrong) => expect(wrongAddress(address)).toBe(wrong));

it('a name is looked up again for the connection, and one that leads inside is not called', async () => {
  const error = await new Promise<Error | null>((resolve) =>
    outsideLookup('localhost', { all: true }, (failed) => resolve(failed)),
  );
  expect(error?.message).toBe(INSIDE_MESSAGE);
  expect(await postOutside({ url: 'https://localhost:1/x', headers: {}, body: '{}', timeoutSeconds: 1 })).toMatchObject(
    { status: null, excerpt: INSIDE_MESSAGE },
  );
  allowHosts(['localhost']);
  const found = await new Promise((resolve) =>
    outsideLookup('localhost', { all: true }, (_, addresses) => resolve(addresses)),
  );
  allowHosts([]);
  expect(found).not.toEqual([]);
});

it('networks are read with what is wrong in them', () => {
  const { networks, count, wrong } = readNetworks('203.0.113.0/24\n 2001:db8::/32, 10.0.0.1\nhere 10.0.0.0/33');
  expect([count, wrong]).toEqual([3, ['here', '10.0.0.0/33']]);
  expect(
    ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::5', '10.0.0.1', '10.0.0.2', '203.0.114.1'].map((address) =>
      isOf(networks, address),
    ),
  ).toEqual([true, true, true, true, false, false]);
});

it('scopes and the operations of calls', () => {
  expect(readScope('employee:read')).toEqual({ type: 'employee', operations: ['read'] });
  expect(readScope('employee:*')?.operations).toHaveLength(4);
  expect([readScope('employee'), readScope('employee:all'), readScope('*:read')]).toEqual([null, null, null]);
  const calls: [string, string, string | null][] = [
    ['GET', '/tapi/:type', 'read'],
    ['POST', '/api/:type', 'add'],
    ['PUT', '/tapi/:type/:id', 'change'],
    ['DELETE', '/tapi/:type/:id', 'delete'],
    ['POST', '/tapi/:type/:id/deactivate', 'delete'],
    ['POST', '/tapi/:type/bulk_delete', 'delete'],
    ['PUT', '/tapi/:type/bulk', 'change'],
    ['POST', '/tapi/:type/:id/comments', 'change'],
    ['GET', '/tapi/:type/export.xlsx', 'read'],
    ['POST', '/tapi/:type/export', null],
    ['POST', '/tapi/:type/import', null],
    ['GET', '/tapi/:type/views', null],
    ['GET', '/tapi/menu', null],
    ['POST', '/tapi/users/:id/invite', null],
  ];
  for (const [method, url, operation] of calls) expect(operationOf(method, url), `${method} ${url}`).toBe(operation);
});
