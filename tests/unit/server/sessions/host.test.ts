import { expect, test } from 'vitest';
import { bareHost, readHost, readPrefix, schemaOf } from '../../../../src/server/access/sessions/host.ts';

const bases = ['mainstay.example', 'localhost'];

test.each([
  ['acme.mainstay.example', 'cmp_acme'],
  ['ACME.mainstay.example:8443', 'cmp_acme'],
  ['acme.mainstay.example.', 'cmp_acme'],
  ['north-star.mainstay.example', 'cmp_north_star'],
  ['acme.localhost:3000', 'cmp_acme'],
])('%s is the schema %s', (header, schema) => {
  const host = readHost(header, bases);
  expect(host.kind === 'tenant' && schemaOf(host.subDomain)).toBe(schema);
});

test.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'mainstay.example', 'www.mainstay.example'])(
  '%s leaves it to the Sub Domain field',
  (header) => {
    expect(readHost(header, bases)).toEqual({ kind: 'none' });
  },
);

test.each(['admin.mainstay.example', 'admin.localhost'])('%s is the platform', (header) => {
  expect(readHost(header, bases)).toEqual({ kind: 'admin' });
  expect(schemaOf('admin')).toBe('public');
});

test.each(['erp.acme.co.in', 'board.acme.localhost'])('%s is looked up among the clients’ own domains', (header) => {
  expect(readHost(header, bases)).toEqual({ kind: 'foreign', host: header });
});

test.each([
  '9lives.mainstay.example',
  'a.mainstay.example',
  'a-.mainstay.example',
  'api.mainstay.example',
  `${'a'.repeat(31)}.localhost`,
  'x_y.localhost',
  '',
])('"%s" is an invalid address', (header) => {
  expect(readHost(header, bases)).toEqual({ kind: 'invalid' });
});

test.each([
  ['acme', 'acme'],
  ['  ACME ', 'acme'],
  ['cmp_acme', 'acme'],
  ['cmp_north_star', 'north-star'],
  ['north-star', 'north-star'],
  ['admin', 'admin'],
  ['public', 'admin'],
  ['', ''],
  ['9lives', null],
  ['www', null],
  ["x'; drop", null],
])('prefix "%s" means %s', (prefix, subDomain) => {
  expect(readPrefix(prefix)).toBe(subDomain);
});

test('a host is compared without port, capitals and final dot', () => {
  expect(bareHost('Acme.Example.:80')).toBe('acme.example');
  expect(bareHost('[2001:DB8::1]:3000')).toBe('2001:db8::1');
});
