import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUDGETS, scriptSizes } from '../../bench/script_sizes.ts';

const root = resolve(import.meta.dirname, '../../..');
const dist = join(root, 'dist/client');

// As it is served: a build under the test runner's own NODE_ENV would hold React's development half.
beforeAll(() => execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'ignore' }), 120_000);

describe('script of a cold route', () => {
  it.each(BUDGETS.map(({ route }) => route))('%s stays within its budget', (route) => {
    const { kilobytes, budget } = scriptSizes(dist).find((one) => one.route === route)!;
    console.info(`${route}: ${kilobytes.toFixed(1)} kB of ${budget}`);
    expect(kilobytes).toBeLessThanOrEqual(budget);
  });
});
