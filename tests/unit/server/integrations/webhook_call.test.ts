import { expect, it } from 'vitest';
import { operationOf, readScope } from '../../../../src/server/platform/integrations/key_scopes.ts';
import { isOf, readNetworks } from '../../../../src/server/services/network/networks.ts';
import { webhookSignature } from '../../../../src/server/platform/integrations/webhook_call.ts';

it('signs like the standard’s example', () => {
  const secret = 'whsec_TWZLUTlyOEdLWXFyVHdqVVBEOElMUFpJbzJMYUxhU3c=';
  const body = '{"type":"employee.created","entity_id":1,"record":{"id":42,"empno":"E0042"}}';
  const signature = 'v1,xVigBKY4Imuj4bOHwZ5+SXqxvXdQf8vbwK5IGDMiydo=';
  expect(webhookSignature([secret], 'msg_01HZX3', 1718000000, body)).toBe(signature);
  expect(webhookSignature([secret, secret], 'msg_01HZX3', 1718000000, body)).toBe(`${signature} ${signature}`);
});

it('networks are parsed, with their errors', () => {
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
