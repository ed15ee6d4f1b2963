import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { postOutside } from '../../../../src/server/platform/integrations/webhook_call.ts';
import { kindOf } from '../../../../src/server/services/network/address_kind.ts';
import {
  INSIDE_MESSAGE,
  allowHosts,
  checkedAddresses,
  lookupWithin,
  wrongAddress,
  wrongServer,
} from '../../../../src/server/services/network/outside_address.ts';
import { plainFailure } from '../../../../src/server/services/network/plain_failure.ts';
import { addressOf } from '../../../../src/server/platform/sync/source_address.ts';

/** What names lead to; a name that is not here is looked up as always. */
const names = vi.hoisted(() => {
  // Files of a worker share their modules: those loaded before would ask the network.
  vi.resetModules();
  return new Map<string, string[][]>();
});
vi.mock('node:dns/promises', async (original) => {
  const dns = await original<typeof import('node:dns/promises')>();
  return {
    ...dns,
    lookup: (host: string, options: { all: true }) => {
      const answers = names.get(host);
      const next = answers && (answers.length > 1 ? answers.shift() : answers[0]);
      return next
        ? Promise.resolve(next.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
        : dns.lookup(host, options);
    },
  };
});

afterEach(() => {
  allowHosts([]);
  names.clear();
  vi.restoreAllMocks();
});

/** This machine has these addresses beside its own. */
function interfaces(...addresses: string[]): void {
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({
    eth0: addresses.map((address) => ({ address }) as os.NetworkInterfaceInfo),
  });
}

describe('an address', () => {
  it.each([
    ['own', '127.0.0.1', '127.8.9.10', '0.0.0.0', '169.254.169.254', '::1', '::', 'fe80::1', 'fe80::1%eth0'],
    ['own', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254'],
    ['own', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:1', '::ffff:169.254.169.254'],
    ['private', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fd00::1', '::ffff:a00:1'],
    [
      'special',
      '224.0.0.1',
      '255.255.255.255',
      'ff02::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::127.0.0.1',
      '::ffff:0:7f00:1',
      'no',
    ],
    ['public', '8.8.8.8', '172.32.0.1', '100.128.0.1', '169.253.1.1', '2606:4700::1111', '::ffff:8.8.8.8'],
  ] as [string, ...string[]][])('is %s: %s …', (kind, ...addresses) => {
    for (const address of addresses) expect(kindOf(address), address).toBe(kind);
  });

  it('of a local interface counts as this machine, in every notation', () => {
    interfaces('10.20.30.40', '203.0.114.9', '2606:4700:0:0::99');
    for (const address of ['10.20.30.40', '::ffff:10.20.30.40', '203.0.114.9', '2606:4700::99'])
      expect(kindOf(address), address).toBe('own');
    expect(kindOf('10.20.30.41')).toBe('private');
  });
});

it.each([
  ['https://127.0.0.1/x', INSIDE_MESSAGE],
  ['https://2130706433/x', INSIDE_MESSAGE],
  ['https://0x7f.1/x', INSIDE_MESSAGE],
  ['https://0177.0.0.1/x', INSIDE_MESSAGE],
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

it.each([
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '[::1]',
  'localhost',
  '10.0.0.5',
  '169.254.169.254',
  'mail',
])('no mail server is accepted at %s', async (host) => expect(await wrongServer(host)).toBe(INSIDE_MESSAGE));

describe('a name', () => {
  it('is refused if any of its addresses is inside, unless the operator allows the host', async () => {
    names.set('mail.example.com', [['8.8.8.8', '10.0.0.5']]);
    await expect(checkedAddresses('mail.example.com')).rejects.toThrow(INSIDE_MESSAGE);
    expect(await wrongServer('mail.example.com')).toBe(INSIDE_MESSAGE);
    allowHosts(['mail.example.com']);
    expect(await checkedAddresses('mail.example.com')).toHaveLength(2);
    expect(await wrongServer('mail.example.com')).toBeNull();
  });

  it('that resolves outside when it is saved and inside when it is called is refused', async () => {
    names.set('hooks.example.com', [['8.8.8.8'], ['127.0.0.1']]);
    expect(await wrongServer('hooks.example.com')).toBeNull();
    expect(
      await postOutside({ url: 'https://hooks.example.com/x', headers: {}, body: '{}', timeoutSeconds: 1 }),
    ).toMatchObject({ status: null, reason: INSIDE_MESSAGE });
  });

  it('connects to exactly the addresses that were checked', async () => {
    names.set('hooks.example.com', [['8.8.8.8'], ['127.0.0.1']]);
    const found = await new Promise((resolve) =>
      lookupWithin()('hooks.example.com', { all: true }, (_error, addresses) => resolve(addresses)),
    );
    expect(found).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });
});

describe('an import source', () => {
  const source = (host: string, inside: boolean) => ({ host, private_network: inside });
  const given = { privateNetworks: true, thisMachine: false };

  it('inside the network is read if it says so and the operator allows it', async () => {
    expect(await addressOf(source('10.20.30.41', true), given)).toBe('10.20.30.41');
    await expect(addressOf(source('10.20.30.41', false), given)).rejects.toThrow('internal address');
    await expect(addressOf(source('10.20.30.41', true), { ...given, privateNetworks: false })).rejects.toThrow(
      'internal address',
    );
  });

  it('is never this machine, by any of its addresses', async () => {
    interfaces('10.20.30.40');
    names.set('db.example.com', [['10.20.30.40']]);
    for (const host of ['10.20.30.40', '::ffff:10.20.30.40', 'db.example.com', '127.0.0.1', '2130706433', '[::1]'])
      await expect(addressOf(source(host, true), given), host).rejects.toThrow('the server of Mainstay itself');
    expect(await addressOf(source('10.20.30.40', true), { ...given, thisMachine: true })).toBe('10.20.30.40');
  });

  it('is not an alias of another address', async () => {
    for (const host of ['64:ff9b::a00:1', '2002:a00:1::', '224.0.0.1'])
      await expect(addressOf(source(host, true), given), host).rejects.toThrow('No server has this address.');
  });
});

it('a receiver’s answer is neither shown nor followed', async () => {
  const server = createServer((request, response) =>
    response.writeHead(request.url === '/moved' ? 302 : 500, { location: '/secret' }).end('internal secret'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  allowHosts(['127.0.0.1']);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = (path: string) => postOutside({ url: `${base}${path}`, headers: {}, body: '{}', timeoutSeconds: 5 });
  expect(await call('/')).toMatchObject({
    status: 500,
    reason: 'The receiver answered 500. It must answer 200 to 299.',
  });
  expect(await call('/moved')).toMatchObject({ status: 302 });
  server.close();
});

it('failures are shown as classes; certificates and greetings are not', () => {
  const say = (code: string, message = '') => plainFailure(Object.assign(new Error(message), { code }), 'db, port 5');
  expect(say('ERR_TLS_CERT_ALTNAME_INVALID', "Host: x. is not in the cert's altnames: DNS:vault.intranet")).toBe(
    'The certificate of db, port 5 is not valid.',
  );
  expect(say('ECONNREFUSED')).toBe('Nothing answers at db, port 5. Check server and port.');
  expect(say('EODD', 'SSH-2.0-OpenSSH_9 internal')).toBe(
    'db, port 5 did not answer as expected. Check server, port and security.',
  );
});
