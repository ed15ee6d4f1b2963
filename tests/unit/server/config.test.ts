import { expect, test } from 'vitest';
import { ConfigError, VARIABLES, describeVariables, readConfig } from '../../../src/server/config.ts';

test('without variables: this machine only, embedded database, demo', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 3000,
    hosts: ['127.0.0.1', '::1'],
    demo: true,
    environment: 'production',
    trustedProxies: [],
    databaseUrl: undefined,
  });
  expect(config.dataDir).toMatch(/\/data$/);
});

test('an external database means no demo, unless it is requested', () => {
  const DATABASE_URL = 'postgres://a:b@db:5432/mainstay';
  expect(readConfig({ DATABASE_URL }).demo).toBe(false);
  expect(readConfig({ DATABASE_URL, DEMO: '1' }).demo).toBe(true);
  expect(readConfig({ DEMO: '0' }).demo).toBe(false);
});

test.each([
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['HOST', 'example.com'],
  ['DATABASE_URL', 'mysql://x'],
  ['DEMO', 'maybe'],
  ['DEMO_PASSWORD', 'short'],
  ['BASE_DOMAINS', 'http://x'],
  ['TRUSTED_PROXIES', '10.0.0.0/64'],
  ['LOG_LEVEL', 'loud'],
  ['SCHEMAS_DIR', '/nowhere/at/all'],
  ['PUBLIC_URL', 'mainstay.example'],
  ['ENVIRONMENT', 'test'],
  ['METRICS_TOKEN', 'abc'],
  ['UPLOAD_MAX_MB', '-1'],
])('%s=%s is refused with the correction', (name, value) => {
  const { expects, secret } = VARIABLES.find((variable) => variable.name === name)!;
  let message = '';
  try {
    readConfig({ [name]: value });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    message = (error as Error).message;
  }
  expect(message).toContain(name);
  expect(message).toContain(`Write ${expects}`);
  expect(message.includes(value)).toBe(secret !== true);
});

test('all errors are reported at once', () => {
  expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[\s\S]*LOG_LEVEL/);
});

test('every variable is described', () => {
  for (const { name } of VARIABLES) expect(describeVariables()).toContain(name);
});
