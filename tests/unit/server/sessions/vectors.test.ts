import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { auditHash } from '../../../../src/server/services/audit/audit.ts';
import { csrfToken, isCsrfToken } from '../../../../src/server/access/sessions/csrf.ts';
import {
  expiryDate,
  firstExpiry,
  messageTime,
  refreshedExpiry,
} from '../../../../src/server/access/sessions/expiry.ts';
import { lockedMessage, networkOf, waitAfter } from '../../../../src/server/access/sessions/lockout.ts';
import {
  hashPassword,
  isPassword,
  needsRehash,
  passwordProblem,
} from '../../../../src/server/access/sessions/password.ts';
import type { Claims } from '../../../../src/server/access/sessions/token.ts';
import { readToken, signToken, tokenReader } from '../../../../src/server/access/sessions/token.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const claims: Claims = {
  iss: 'mainstay',
  aud: 'cmp_acme',
  sub: '7',
  sid: '5f0c2c9e-8a1b-4c1e-9d57-2f6a1c3e4b01',
  iat: 1749527100,
  exp: 1750131900,
};
const keys = [{ id: 'k1', key }];

describe('token', async () => {
  const token = await signToken(claims, keys);

  test('matches the known signature', async () => {
    expect(token.split('.')[2]).toBe('ZbBeMB6WcnuXVjWb9eTHeGGwPEpsxaCD3VvYkN4-nx8');
    expect(await readToken(token, keys)).toEqual(claims);
  });

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forge = (header: object, payload: object, signing = key) => {
    const input = `${encode(header)}.${encode(payload)}`;
    return `${input}.${createHmac('sha256', signing).update(input).digest('base64url')}`;
  };
  const header = { alg: 'HS256', kid: 'k1', typ: 'ms+session' };

  test.each([
    [
      'another audience under the same signature',
      `${token.split('.')[0]}.${encode({ ...claims, aud: 'cmp_zenith' })}.${token.split('.')[2]}`,
    ],
    ['no algorithm', `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`],
    ['another algorithm, rightly signed', forge({ ...header, alg: 'HS512' }, claims)],
    ['an unknown key', forge({ ...header, kid: 'k9' }, claims)],
    ['another type of token', forge({ ...header, typ: 'JWT' }, claims)],
    ['another key', forge(header, claims, Buffer.alloc(32))],
    ['no session', forge(header, { ...claims, sid: undefined })],
    ['a session that is not an id', forge(header, { ...claims, sid: "x' or 1=1" })],
    ['another issuer', forge(header, { ...claims, iss: 'other' })],
    ['a second spelling of the signature', `${token}=`],
    ['a longer token', `${token}.x`],
    ['an empty one', ''],
    ['a body that is no JSON', `${token.split('.')[0]}.e30x.${token.split('.')[2]}`],
  ])('%s is refused', async (_, forged) => {
    expect(await readToken(forged, keys)).toBeNull();
  });

  test('a new key signs while the old one still verifies', async () => {
    const rotated = [{ id: 'k2', key: Buffer.alloc(32, 7) }, ...keys];
    expect(await readToken(token, rotated)).toEqual(claims);
    expect(await readToken(await signToken(claims, rotated), keys)).toBeNull();
  });

  test('cached tokens are dropped when the keys change', async () => {
    let current = keys;
    const read = tokenReader(() => current);
    expect(await read(token)).toEqual(claims);
    expect(await read(token)).toEqual(claims);
    current = [{ id: 'k1', key: Buffer.alloc(32) }];
    expect(await read(token)).toBeNull();
  });
});

describe('password', () => {
  const phc = '$argon2id$v=19$m=19456,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$4MzihgI1rthkwNb/14Ss0OEROR+wVcrcIJA75ykEs10';

  test('is hashed with the known parameters', async () => {
    expect(await hashPassword('Lift-2025 monsoon kettle', key.subarray(0, 16))).toBe(phc);
    expect(needsRehash(phc)).toBe(false);
    expect(needsRehash(phc.replace('t=2', 't=1'))).toBe(true);
  });

  test('is compared without outer spaces and in normalised form', async () => {
    expect(await isPassword('  Lift-2025 monsoon kettle ', phc)).toBe(true);
    expect(await isPassword('Ｌift-2025 monsoon kettle', phc)).toBe(true);
    expect(await isPassword('lift-2025 monsoon kettle', phc)).toBe(false);
    expect(await isPassword('Lift-2025 monsoon kettle', null)).toBe(false);
    expect(await isPassword('x', 'not a hash')).toBe(false);
  });

  test('of an unknown user is hashed like a wrong one', async () => {
    // Of this process alone, not of the clock: another's work on the machine does not count.
    const work = async (hash: string | null) => {
      const from = process.cpuUsage();
      for (let n = 0; n < 5; n++) await isPassword('wrong password', hash);
      // The kernel may count all of a short time as one of the two.
      const { user, system } = process.cpuUsage(from);
      return user + system;
    };
    expect(await work(null)).toBeGreaterThan((await work(phc)) / 4);
  });

  test.each([
    ['short', 'at least 10'],
    ['x'.repeat(129) + 'ab1', 'at most 128'],
    ['1234567890', 'most common'],
    ['aaaaaaaaaaaab', 'most common'],
    ['my asha password', 'name'],
    ['Acme lifts rock', 'name'],
  ])('"%s" is refused: %s', (password, why) => {
    expect(passwordProblem(password, ['Asha Rao', 'asha.rao@acme.in', 'Acme'])).toContain(why);
  });

  test('needs no mixture of characters', () => {
    expect(passwordProblem('monsoon kettle lift', ['Asha Rao'])).toBeNull();
  });
});

describe('expiry', () => {
  const ist = (text: string) => new Date(`${text}+05:30`);

  test('is seven days after sign-in, written in the tenant’s time zone', () => {
    const end = firstExpiry(ist('2025-06-10T09:15:00'));
    expect(end).toEqual(ist('2025-06-17T09:15:00'));
    expect(expiryDate(end, 'Asia/Kolkata')).toBe('2025-06-17');
    expect(expiryDate(ist('2025-06-17T02:00:00'), 'Asia/Kolkata')).toBe('2025-06-17');
    expect(messageTime(ist('2025-06-17T02:05:59'), 'Asia/Kolkata')).toBe('17-06-2025 02:05');
  });

  test.each([
    ['2025-06-17T09:15:00', '2025-06-10T09:15:00', '2025-06-16T18:00:00', '2025-06-24T09:15:00'],
    ['2025-06-17T09:15:00', '2025-06-10T09:15:00', '2025-06-10T10:00:00', '2025-06-20T10:00:00'],
    ['2025-09-06T09:15:00', '2025-06-10T09:15:00', '2025-09-05T11:00:00', '2025-09-08T09:15:00'],
  ])('%s of a sign-in at %s, refreshed at %s, becomes %s', (old, signedIn, now, next) => {
    expect(refreshedExpiry(ist(old), ist(signedIn), ist(now))).toEqual(ist(next));
  });
});

describe('lock-out', () => {
  test('grows after each failure', () => {
    expect([0, 4, 5, 6, 7, 8, 9, 10, 50].map((n) => waitAfter(n))).toEqual([0, 0, 30, 60, 120, 240, 480, 900, 900]);
  });

  test('takes 2 h 45 min 30 s until the 20th guess and allows 104 guesses a day', () => {
    const before = (guess: number) =>
      Array.from({ length: guess - 1 }, (_, index) => waitAfter(index + 1)).reduce((a, b) => a + b, 0);
    expect(before(20)).toBe(9_930);
    let guesses = 0;
    while (before(guesses + 1) <= 86_400) guesses++;
    expect(guesses).toBe(104);
  });

  test('is shown in minutes', () => {
    expect(lockedMessage(120)).toBe('Too many attempts. Try again in 2 minutes.');
    expect(lockedMessage(30)).toBe('Too many attempts. Try again in 1 minute.');
  });

  test.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s is counted as %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});

test('the CSRF token is bound to the session', () => {
  expect(csrfToken(claims.sid, key)).toBe('0IL7_B68AZyKjW12v08-_syXQJ-HoHrOHJnDdYkL45o');
  expect(isCsrfToken('0IL7_B68AZyKjW12v08-_syXQJ-HoHrOHJnDdYkL45o', claims.sid, key)).toBe(true);
  expect(isCsrfToken('0IL7_B68AZyKjW12v08-_syXQJ-HoHrOHJnDdYkL45o', claims.sid.replace('5f', '6f'), key)).toBe(false);
});

test('the audit log is a chain', () => {
  const first = auditHash('0'.repeat(64), {
    at: '2025-06-10T03:45:00.000Z',
    actor: 7,
    action: 'login',
    target: 'user:7',
  });
  expect(first).toBe('87a6f1e20fef3b89e22a3a10448c3612e0b0c850c3300e4cdd77302c3db29d1e');
  expect(auditHash(first, { at: '2025-06-10T03:46:10.000Z', actor: 7, action: 'rights.save', target: 'role:3' })).toBe(
    '0cd3068752a769ff4769ed805308ab44c86121f1208ca087d7157165527dafe0',
  );
});
