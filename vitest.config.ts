import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files that take longest, few lines as some have: they begin first, so that no core waits for them at the end. */
const LONGEST = ['first_half', 'second_half', 'product_transitions', 'killed_acts', 'embedded', 'safety/walk'].map(
  (name) => `/${name}.test.ts`,
);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((end) => moduleId.endsWith(end));
    return [...sorted.filter(isLong), ...sorted.filter((spec) => !isLong(spec))];
  }
}

/** Interface tests that put something in the place of a module: that holds only where nobody has loaded it before. */
const REPLACES_MODULES = [
  'tests/api/clients/lifecycle.test.ts',
  'tests/api/safety/who_has_an_account.test.ts',
  'tests/api/sync/small_file_large_inside.test.ts',
];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // A failure says all that was found, not "[ Array(1) ]".
    chaiConfig: { truncateThreshold: 0 },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/{descriptor,domain,server,scripts}/**/*.test.ts'],
          // The files of a worker share its modules: most of their time was loading them.
          isolate: false,
          setupFiles: ['tests/unit/setup.ts'],
          // They run beside the interface tests: what compiles all descriptors takes seconds then.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'client',
          include: ['tests/unit/client/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          pool: 'threads',
          isolate: false,
          setupFiles: ['tests/unit/client/setup.ts'],
          // Pages are drawn in earnest; on a busy machine with two cores the slowest take seconds.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'api-alone',
          include: REPLACES_MODULES,
          globalSetup: ['tests/api/global_setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          exclude: REPLACES_MODULES,
          globalSetup: ['tests/api/global_setup.ts'],
          // The files of a worker share its modules: the server is loaded, the product's descriptors are compiled once.
          isolate: false,
          // Node loads them as it loads the product: nothing is transformed, and no call goes through a module of Vite's.
          // What puts something in the place of a module needs that, and stands above.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          testTimeout: 120_000,
          // What follows after the answer, such as a notice or an import, comes late on a busy machine.
          expect: { poll: { timeout: 60_000 } },
          // The first file that needs the demo companies makes them, two minutes of work, and the others wait for it.
          hookTimeout: 600_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/global_setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // As patient as the browser's own waiting: on a busy machine a page takes longer than a second.
          expect: { poll: { timeout: 60_000 } },
          // One after the other on one product; the files share what is loaded, and who is signed in.
          isolate: false,
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
    ],
  },
});
