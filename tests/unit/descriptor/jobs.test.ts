import { describe, expect, it } from 'vitest';
import { compileScreens } from '../../../src/descriptor/compile.ts';
import { runKey } from '../../../src/descriptor/jobs.ts';
import types from '../../../schemas/types.json' with { type: 'json' };

const RIGHT = {
  title: 'Release visits',
  run: 'fms.release_visits',
  at: '0 18 * * *',
  per: 'company',
  key: '{company}/{due}',
  retry: [60],
};
const functions = {
  scheduled: new Map([
    ['fms.release_visits', {}],
    ['fms.age', { args: { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] } }],
  ]),
};
const compiled = (jobs: object) =>
  compileScreens(
    [{ path: 'schemas/fms/jobs.json', folder: 'fms', name: 'jobs', text: JSON.stringify(jobs, null, 2) }],
    types,
    functions,
  );
const findings = (job: object) => compiled({ release: { ...RIGHT, ...job } }).problems;

describe('jobs.json', () => {
  it('contains jobs by name', () => {
    expect(compiled({ $schema: '../meta/jobs.schema.json', release: RIGHT })).toMatchObject({
      problems: [],
      jobs: [{ ...RIGHT, name: 'release', types: [], args: {} }],
    });
    expect(compiled({ release: { title: 'By hand', run: 'fms.release_visits' } }).jobs).toMatchObject([
      { per: 'client', retry: [] },
    ]);
  });

  it.each([
    [
      'an unknown function',
      { run: 'fms.relase_visits' },
      '$.release.run',
      'There is no job function "fms.relase_visits".',
    ],
    ['no time', { at: '0 25 * * *' }, '$.release.at', '"0 25 * * *" is not a time'],
    ['seconds', { at: '0 0 18 * * *' }, '$.release.at', '"0 0 18 * * *" has not five fields.'],
    ['a day that never comes', { at: '0 0 30 2 *' }, '$.release.at', 'never comes'],
    ['an unknown word of the key', { key: '{company}/{dew}' }, '$.release.key', 'A key has no word "{dew}".'],
    ['a key of another place', { key: '{company}/{branch}' }, '$.release.key', 'its key has no "{branch}"'],
    ['a key that all companies share', { key: '{due}' }, '$.release.key', 'would run for one company only'],
    ['an unknown type', { types: ['visit'] }, '$.release.types[0]', 'There is no record type "visit".'],
    ['what the function does not take', { args: { days: 3 } }, '$.release.args', 'handed nothing'],
    [
      'what the function takes otherwise',
      { run: 'fms.age', args: { days: 'x' } },
      '$.release.args',
      '/days must be integer',
    ],
    ['a place that there is not', { per: 'department' }, '$.release.per', 'cannot be "department"'],
    ['a wait of nothing', { retry: [0] }, '$.release.retry[0]', ''],
    ['an unknown word', { when: 'night' }, '$.release.when', 'Unknown word "when".'],
  ])('is refused with %s', (_what, job, path, message) => {
    const found = findings(job);
    expect(found).toMatchObject([{ path, file: 'schemas/fms/jobs.json' }]);
    expect(found[0]!.message).toContain(message);
    expect(compiled({ release: { ...RIGHT, ...job } }).jobs).toEqual([]);
  });

  it('has unique names over all modules', () => {
    const file = (folder: string) => ({
      path: `schemas/${folder}/jobs.json`,
      folder,
      name: 'jobs',
      text: JSON.stringify({ release: RIGHT }),
    });
    const { jobs, problems } = compileScreens([file('act'), file('fms')], types, functions);
    expect(jobs).toHaveLength(1);
    expect(problems).toMatchObject([{ file: 'schemas/fms/jobs.json', message: '"release" is described twice.' }]);
  });
});

it('a key defines which runs exclude each other', () => {
  const place = { company: 4, branch: 7, due: '2026-11-23T18:00+05:30' };
  expect(runKey('{company}/{due}', place)).toBe('4/2026-11-23T18:00+05:30');
  expect(runKey('{branch} {day} {month} {year}', place)).toBe('7 2026-11-23 2026-11 2026');
});
