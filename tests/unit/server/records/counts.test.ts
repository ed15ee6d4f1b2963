import { describe, expect, it } from 'vitest';
import type { Screen } from '../../../../src/descriptor/types.ts';
import type { Session } from '../../../../src/server/access/context.ts';
import { countSql } from '../../../../src/server/engine/records/counts.ts';
import { SqlParams } from '../../../../src/server/db/sql_text.ts';
import { compile, sample } from '../../descriptor/fixtures/compile_sample.ts';

const ref = { $ref: 'types#ref', 'x-ref': 'thing' };
const { screens, problems } = compile({
  thing: sample({
    counts: {
      parts: { of: 'part', by: 'thing_id', filter: ['code', 'ne', 'old'] },
      plans: { title: 'Plans with it', of: 'plan', by: 'things' },
      lines: { of: 'plan', by: 'lines.thing_id' },
    },
    grid: ['code', 'parts', { field: 'plans', hidden: true }],
    sort: ['-parts'],
  }),
  part: sample({ scope: 'entity' }, { thing_id: ref }),
  plan: sample(
    {},
    {
      things: { $ref: 'types#refs', 'x-ref': 'thing' },
      lines: { type: 'array', items: { type: 'object', properties: { thing_id: ref } } },
    },
  ),
});

function written(screen: Screen, name: string, entityId: number | null = 7): { text: string; values: unknown[] } {
  const values = new SqlParams();
  const session = { tenant: { schema: 'cmp_x' }, entityId } as unknown as Session;
  return {
    text: countSql(
      screen.counts!.find((field) => field.name === name)!,
      'p',
      session,
      screens,
      values,
    ),
    values: values.list,
  };
}

describe('counts of a list', () => {
  const thing = screens.get('thing')!;

  it('are columns, but no fields: they are neither stored nor entered', () => {
    expect(problems).toEqual([]);
    expect(thing.grid.slice(0, 3)).toMatchObject([
      { field: 'code' },
      { field: 'parts', title: 'Parts', hidden: false },
      { field: 'plans', title: 'Plans with it', hidden: true },
    ]);
    expect(thing.fields.map(({ name }) => name)).toEqual(['code', 'name']);
    expect(Object.keys(thing.schema.properties!)).toEqual(['code', 'name']);
  });

  it('count active records, of a company’s records those of the current company', () => {
    expect(written(thing, 'parts')).toEqual({
      text: expect.stringMatching(
        /^\(select count\(\*\)::int from "cmp_x"\."part" r where r\.active and r\."thing_id" = p\.id and r\.entity_id = \$1 and .*\$2.*\)$/,
      ) as string,
      values: [7, 'old'],
    });
    expect(written(thing, 'parts', null).text).not.toContain('entity_id');
  });

  it('cover lists of references and child rows', () => {
    expect(written(thing, 'plans').text).toBe(
      '(select count(*)::int from "cmp_x"."plan" r where r.active and r."things" @> array[p.id])',
    );
    expect(written(thing, 'lines').text).toBe(
      '(select count(*)::int from "cmp_x"."plan" r where r.active and r.id in (select c.parent_id from "cmp_x"."plan__lines" c where c."thing_id" = p.id))',
    );
  });
});
