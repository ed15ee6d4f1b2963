import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileScreens } from '../../src/descriptor/compile.ts';
import type { JsonSchema } from '../../src/descriptor/types.ts';
import { openDatabases } from '../../src/server/db/open.ts';
import { createTenant, keepSpareFor } from '../../src/server/db/tenants.ts';
import { loadScreens } from '../../src/server/engine/descriptors/load.ts';
import { median } from './load.ts';

const root = join(import.meta.dirname, '../..');

/** 400 descriptors of the usual sizes: 320 lists, 80 documents with references and child rows. */
function manyScreens() {
  const types = JSON.parse(readFileSync(join(root, 'schemas/types.json'), 'utf8')) as JsonSchema;
  const files = Array.from({ length: 400 }, (_, index) => {
    const list = index < 320;
    const properties: Record<string, unknown> = {
      code: { $ref: 'types#code' },
      name: { $ref: 'types#name' },
      remarks: { $ref: 'types#long_text' },
      rate: { $ref: 'types#money' },
      from_date: { $ref: 'types#date' },
      active_on_site: { type: 'boolean' },
    };
    if (!list) {
      for (let at = 0; at < 4; at++)
        properties[`part_${at}_id`] = { $ref: 'types#ref', 'x-ref': `bench_type_${at * 7}` };
      for (let at = 0; at < 12; at++) properties[`figure_${at}`] = { $ref: 'types#quantity' };
      properties.items = {
        type: 'array',
        items: {
          properties: {
            item: { $ref: 'types#text' },
            qty: { $ref: 'types#quantity' },
            amount: { $ref: 'types#money' },
          },
        },
      };
    }
    const text = JSON.stringify({
      $schema: '../meta/screen.schema.json',
      kind: list ? 'master' : 'document',
      title: `Bench type ${index}`,
      access: { screen: `SCN_BENCH_${index}` },
      schema: { required: ['code', 'name'], properties },
      unique: [['code']],
    });
    return { path: `bench_type_${index}.json`, folder: 'bench', name: `bench_type_${index}`, text };
  });
  return compileScreens(files, types).screens;
}

/** How long a new client takes: with the product's own tables, and with those of 400 descriptors. */
export async function tenantBench(dataDir: string): Promise<[string, string, string][]> {
  const { screens } = await loadScreens(join(root, 'schemas'));
  const directory = await openDatabases({ dataDir });
  try {
    const time = async (subDomain: string, set: typeof screens) => {
      const from = performance.now();
      await createTenant(directory, set, { subDomain, name: subDomain, products: ['FMS', 'TKT'], mayTakeSpare: true });
      return performance.now() - from;
    };
    await time('warm', screens);
    const prepared: number[] = [];
    for (let at = 0; at < 5; at++) {
      await keepSpareFor(directory, screens, ['FMS', 'TKT'], () => Promise.resolve());
      prepared.push(await time(`prepared${at}`, screens));
    }
    const own: number[] = [];
    for (let at = 0; at < 5; at++) own.push(await time(`own${at}`, screens));
    const many = manyScreens();
    const all: number[] = [];
    for (let at = 0; at < 3; at++) all.push(await time(`all${at}`, many));
    return [
      [
        `new client whose draft was saved before, so that its tables wait, median of 5`,
        `${Math.round(median(prepared))} ms`,
        '< 500 ms',
      ],
      [
        `new client out of nothing with the tables of ${screens.size} descriptors, median of 5`,
        `${Math.round(median(own))} ms`,
        '< 500 ms',
      ],
      ['new client with all tables of 400 descriptors, median of 3', `${Math.round(median(all))} ms`, '< 2,000 ms'],
    ];
  } finally {
    await directory.close();
  }
}
