import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['tests/unit/{descriptor,domain,server,scripts}/**/*.test.ts'] } },
      {
        test: {
          name: 'client',
          include: ['tests/unit/client/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          pool: 'threads',
          isolate: false,
          setupFiles: ['tests/unit/client/setup.ts'],
          // Pages are drawn in earnest; on a busy machine with two cores the slowest take seconds.
          testTimeout: 20_000,
          // What hangs on the order of frames is tried once more; the report names what needed it.
          retry: 1,
        },
      },
      {
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          globalSetup: ['tests/api/global_setup.ts'],
          testTimeout: 30_000,
          retry: 1,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/global_setup.ts'],
          testTimeout: 90_000,
          // One sign-in after the accessibility tests sometimes finds no page for up to a minute; the report names what needed it.
          retry: 2,
          hookTimeout: 120_000,
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
    ],
  },
});
