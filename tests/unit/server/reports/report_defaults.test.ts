import { expect, test } from 'vitest';
import { loadScreens } from '../../../../src/server/engine/descriptors/load.ts';
import { readParameters } from '../../../../src/server/engine/reports/parameters.ts';

test('a report whose required parameters have defaults opens with them', async () => {
  const { reports } = await loadScreens('schemas');
  const ready = [...reports.values()].filter(({ defaults = {}, parameters }) =>
    parameters.every(({ name, required, begins, default: given }) => !required || (defaults[name] ?? begins ?? given)),
  );
  expect(ready.length).toBeGreaterThan(30);
  for (const report of ready) expect(() => readParameters(report, {}), report.name).not.toThrow();
});
