import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { noticeSource } from '../../../../src/server/platform/escalation/notices.ts';
import { sourceOf } from '../../../../src/server/platform/escalation/sources.ts';
import { COMMON_WORDS, wordFields, wordsIn } from '../../../../src/server/platform/escalation/words.ts';
import { REQUEST_WORDS } from '../../../../src/server/modules/act/approval_requests.ts';
import desk from '../../../../src/server/modules/act_desk/manifest.ts';
import { product } from '../product.ts';

interface Rule {
  code: string;
  module: string;
  event: string;
  subject: string;
  body: string;
}
interface Slab {
  applies_to: string;
  bands: { esclation_id?: string }[];
}

const demo = async <Row>(name: string): Promise<Row[]> =>
  JSON.parse(await readFile(new URL(`../../../../demo/act/${name}.json`, import.meta.url), 'utf8')) as Row[];

test('every rule of the demo’s mail configuration fires, in words that its records have', async () => {
  const { screens } = await product;
  const slabs = await demo<Slab>('slab');
  const named = (module: string) =>
    slabs
      .filter(({ applies_to: to }) => to === module || (module === 'chk_task_instance' && to === 'checklist'))
      .flatMap(({ bands }) => bands.map((band) => band.esclation_id));
  for (const { code, module, event, subject, body } of await demo<Rule>('esclation')) {
    const dated = sourceOf(screens, module, event);
    const noticed = noticeSource(screens, module, event);
    // Of a date: the field by which the job of each minute finds the records.
    const [field = '', column] = (dated?.date ?? '').split('.');
    const fields = dated?.screen.fields.find(({ name }) => name === field);
    if (dated)
      expect(column === undefined ? fields : fields?.rows?.find(({ name }) => name === column), code).toBeTruthy();
    // Of an event: each trigger happens, and somebody hears it.
    const triggers = noticed?.screen.notices?.events[event] ?? [];
    const known = [
      'created',
      ...(noticed?.screen.workflow?.transitions ?? []).map(({ name }) => name),
      ...(noticed?.screen.clocks ?? []).flatMap(({ name }) => [`${name}_breach`, `${name}_band`]),
    ];
    for (const trigger of triggers) {
      expect(known, code).toContain(trigger);
      expect(Object.keys(desk.on ?? {}), code).toContain(`${noticed!.screen.name}.${trigger}`);
    }
    // Of a band: a slab sends it.
    if (event === 'band') expect(named(module), code).toContain(code);
    expect(dated !== undefined || triggers.length > 0 || event === 'band', code).toBe(true);
    const source = dated ?? noticed;
    const words = source ? [...COMMON_WORDS, ...wordFields(source).keys()] : REQUEST_WORDS;
    for (const word of wordsIn(`${subject} ${body}`)) expect(words, code).toContain(word);
  }
});
