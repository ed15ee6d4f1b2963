import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTE_BUDGETS, scriptSizes } from '../../bench/script_sizes.ts';

const root = resolve(import.meta.dirname, '../../..');
const dist = join(root, 'dist/client');

beforeAll(async () => {
  if (!existsSync(join(dist, '.vite/manifest.json'))) await build({ root, logLevel: 'error' });
}, 120_000);

describe('script a cold route loads', () => {
  it.each(Object.keys(ROUTE_BUDGETS))('%s stays within its budget', (route) => {
    const { kilobytes, budget } = scriptSizes(dist).find((one) => one.route === route)!;
    console.info(`${route}: ${kilobytes.toFixed(1)} kB of ${budget}`);
    expect(kilobytes).toBeLessThanOrEqual(budget);
  });
});
