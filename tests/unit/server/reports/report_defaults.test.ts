import { expect, test } from 'vitest';
import { readParameters } from '../../../../src/server/engine/reports/parameters.ts';
import { product } from '../product.ts';

test('a report whose required parameters have defaults opens with them', async () => {
  const { reports } = await product;
  const ready = [...reports.values()].filter(({ defaults = {}, parameters }) =>
    parameters.every(({ name, required, begins, default: given }) => !required || (defaults[name] ?? begins ?? given)),
  );
  expect(ready.length).toBeGreaterThan(30);
  for (const report of ready) expect(() => readParameters(report, {}), report.name).not.toThrow();
});
