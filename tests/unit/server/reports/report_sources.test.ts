import { expect, test } from 'vitest';
import { reportSources } from '../../../../src/server/app/report_sources.ts';
import { product } from '../product.ts';

test('report functions declare only existing types and fields', async () => {
  const { screens } = await product;
  const reads = Object.values(reportSources).flatMap((source) =>
    Object.entries(source.reads).flatMap(([type, fields]) =>
      fields.length === 0 ? [[type, 'id'] as const] : fields.map((field) => [type, field] as const),
    ),
  );
  expect(reads.length).toBeGreaterThan(30);
  expect(
    reads.filter(([type, field]) =>
      field !== 'id' ? !screens.get(type)?.fields.some(({ name }) => name === field) : !screens.has(type),
    ),
  ).toEqual([]);
});
