import { describe, expect, it } from 'vitest';
import type { ListState } from '../../../../../src/client/runtime/landing/list_address.ts';
import type { Field } from '../../../../../src/descriptor/types.ts';
import { nextSort, readAddress, writeAddress } from '../../../../../src/client/runtime/landing/list_address.ts';

const plain: ListState = {
  q: '',
  conditions: [],
  sort: [],
  active: 'true',
  mine: false,
  view: null,
  group: null,
  page: null,
  size: 100,
  choice: {},
};

describe('the address of a list', () => {
  it('is empty for the default list', () => {
    expect(writeAddress(plain, new URLSearchParams()).toString()).toBe('');
    expect(readAddress(new URLSearchParams())).toEqual(plain);
  });

  it('restores every state written to it', () => {
    const states: ListState[] = [
      { ...plain, q: 'chen & co', sort: ['-area', 'name'], active: 'all' },
      { ...plain, conditions: [['status', 'in', ['open']]], view: '12' },
      { ...plain, mine: true, group: 'status' },
      {
        ...plain,
        conditions: [
          ['status', 'in', ['open']],
          ['area', 'between', ['1', '20']],
          ['name', 'empty'],
        ],
      },
      { ...plain, conditions: [['or', ['name', 'eq', 'a'], ['name', 'eq', 'b']]], page: 3, size: 50 },
    ];
    for (const state of states) expect(readAddress(writeAddress(state, new URLSearchParams()))).toEqual(state);
  });

  it('keeps foreign parameters, and drops its own invalid ones', () => {
    const before = new URLSearchParams('flag=add&q=old&mine=1&area=2&sort=name');
    expect(writeAddress({ ...plain, q: 'new' }, before).toString()).toBe('flag=add&area=2&q=new');
  });

  it('ignores what it cannot read', () => {
    const state = readAddress(new URLSearchParams('filter=[["status"&page=-2&size=77&active=maybe&view=tree'));
    expect(state).toEqual(plain);
  });
});

describe('sorting by a column', () => {
  it('goes up, down and back', () => {
    expect(nextSort([], 'name', false)).toEqual(['name']);
    expect(nextSort(['name'], 'name', false)).toEqual(['-name']);
    expect(nextSort(['-name'], 'name', false)).toEqual([]);
  });

  it('replaces the sort order, or adds to it with shift', () => {
    expect(nextSort(['code'], 'name', false)).toEqual(['name']);
    expect(nextSort(['code'], 'name', true)).toEqual(['code', 'name']);
    expect(nextSort(['code', 'name'], 'code', true)).toEqual(['name', '-code']);
  });

  it('finds a renamed field in old bookmarks', () => {
    const text = { type: 'text', title: '' } as const;
    const fields = [
      { ...text, name: 'label', was: ['mark'] },
      { ...text, name: 'stages', was: ['steps'], rows: [{ ...text, name: 'days', was: ['duration'] }] },
    ] as unknown as Field[];
    const state = readAddress(
      new URLSearchParams({
        filter: '["or",["mark","eq","mark"],["steps.duration","gt","2"],["stages.duration","lt","9"]]',
        sort: '-mark,name',
      }),
      fields,
    );
    expect(state.conditions).toEqual([
      ['or', ['label', 'eq', 'mark'], ['stages.days', 'gt', '2'], ['stages.days', 'lt', '9']],
    ]);
    expect(state.sort).toEqual(['-label', 'name']);
  });
});
