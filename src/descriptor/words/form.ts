import { ownFieldName, tabCode } from '../setting_fields.ts';
import { COPIED_FROM, IS_CURRENT } from '../workflow.ts';
import { defineWord } from './word.ts';
import type { Laying, Path } from './word.ts';
import type { Field, FormLayout, FormSection, Screen } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    form?: FormLayout;
  }
  interface ScreenWords {
    /** `steps`: a new record is entered step by step. */
    form: { tabs: { title: string; sections: FormSection[] }[]; steps?: true };
  }
}

/** `apart`: shown beside or above the form unless the form lists it, such as the state. */
function formTabs(form: FormLayout | undefined, fields: Field[], apart: string[]): Screen['form']['tabs'] {
  const tabs = structuredClone(form?.tabs ?? form?.steps ?? [{ title: 'Details', sections: form?.sections ?? [] }]);
  const placed = new Set(tabs.flatMap((tab) => tab.sections.flatMap((section) => section.fields)));
  const rest = fields
    .filter(({ name, hidden }) => !placed.has(name) && !apart.includes(name) && !hidden)
    .map((field) => field.name);
  if (rest.length === 0) return tabs;
  const last = tabs.at(-1)!;
  const section = last.sections.at(-1);
  if (section) section.fields.push(...rest);
  else last.sections.push({ fields: rest });
  return tabs;
}

/**
 * Fields moved to another tab go to its first section; within a section the numbers in the settings decide the order.
 */
function arrange({ product, fields, settings, own }: Laying): Screen['form']['tabs'] {
  const { tabs } = product.form;
  const there = new Set(fields.map(({ name }) => name));
  const moved = new Map<string, string[]>();
  const away = new Set<string>();
  const codes = new Set(tabs.map((tab) => tabCode(tab.title)));
  const move = (name: string, code: string) => {
    moved.set(code, [...(moved.get(code) ?? []), name]);
    away.add(name);
  };
  for (const tab of tabs)
    for (const section of tab.sections)
      for (const name of section.fields) {
        const code = settings.get(name)?.section;
        if (code && code !== tabCode(tab.title) && codes.has(code) && there.has(name)) move(name, code);
      }
  for (const setting of own) {
    const name = ownFieldName(setting)!;
    if (there.has(name))
      move(name, setting.section && codes.has(setting.section) ? setting.section : tabCode(tabs[0]!.title));
  }
  const numbers = new Map([
    ...[...settings].map(([name, { sequence_no }]) => [name, sequence_no ?? null] as const),
    ...own.map((setting) => [ownFieldName(setting)!, setting.sequence_no ?? null] as const),
  ]);
  return tabs.flatMap((tab) => {
    const sections = tab.sections.map((section, index): FormSection => {
      const come = index === 0 ? (moved.get(tabCode(tab.title)) ?? []) : [];
      return {
        ...section,
        fields: inOrder([...section.fields.filter((name) => there.has(name) && !away.has(name)), ...come], numbers),
      };
    });
    const filled = sections.filter((section) => section.fields.length > 0);
    return filled.length > 0 ? [{ ...tab, sections: filled }] : [];
  });
}

/** Fields sorted by number; one without stays after the field before it. */
export function inOrder(names: string[], numbers: ReadonlyMap<string, number | null>): string[] {
  let before = -1;
  const placed = names.map((name) => ({ name, at: (before = numbers.get(name) ?? before) }));
  return placed.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

export const form = defineWord<FormLayout>({
  name: 'form',
  on: 'screen',
  shape: {
    description:
      'Layout of the form: sections, or tabs of sections. Fields that no section lists are added to the last.',
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    examples: [{ sections: [{ title: 'Address', fields: ['address1', 'city'] }] }],
    properties: {
      tabs: { description: 'Tabs of a long form.', type: 'array', minItems: 1, items: { $ref: '#/$defs/tab' } },
      steps: {
        description: 'Steps in which a new record is entered one after the other, with a summary at the end.',
        type: 'array',
        minItems: 2,
        items: { $ref: '#/$defs/tab' },
      },
      sections: { description: 'Sections of the form, from the top.', $ref: '#/$defs/sections' },
    },
  },
  definitions: {
    tab: {
      type: 'object',
      required: ['title', 'sections'],
      additionalProperties: false,
      examples: [{ title: 'Address', sections: [{ fields: ['address1', 'city'] }] }],
      properties: {
        title: { description: 'Name of the tab.', type: 'string', minLength: 1 },
        sections: { description: 'Sections of the tab, from the top.', $ref: '#/$defs/sections' },
      },
    },
    sections: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['fields'],
        additionalProperties: false,
        examples: [{ title: 'Address', fields: ['address1', 'city'] }],
        properties: {
          title: { description: 'Heading of the section.', type: 'string', minLength: 1 },
          help: { description: 'A sentence below the heading.', type: 'string', minLength: 1 },
          fields: {
            description: 'Fields of the section, in order.',
            type: 'array',
            items: { $ref: '#/$defs/fieldName' },
            examples: [['code', 'name']],
          },
          columns: { description: '1 for wide fields and child rows; default 2.', enum: [1, 2] },
        },
      },
    },
  },
  compile: (written, { fields, descriptor: { workflow } }) => ({
    form: {
      tabs: formTabs(written, fields, workflow ? [workflow.field ?? 'status', COPIED_FROM, IS_CURRENT] : []),
      ...(written?.steps && { steps: true as const }),
    },
  }),
  check: (check) => {
    const { form } = check.descriptor;
    const placed = new Set<string>();
    const word = form?.steps ? 'steps' : 'tabs';
    const parts: { sections: FormSection[]; path: Path }[] = form?.[word]?.map(({ sections }, index) => ({
      sections,
      path: ['form', word, index, 'sections'],
    })) ?? [{ sections: form?.sections ?? [], path: ['form', 'sections'] }];
    for (const { sections, path } of parts)
      sections.forEach((section, s) =>
        section.fields.forEach((name, index) => {
          const at = [...path, s, 'fields', index];
          if (!check.names.has(name)) check.unknown(at, name, check.names, 'the form');
          else if (placed.has(name)) check.report(at, `"${name}" stands twice in the form.`, 'Leave one of them out.');
          placed.add(name);
        }),
      );
    const titles = check.screen.form.tabs.map((tab) => tab.title);
    titles.forEach((title, index) => {
      if (titles.indexOf(title) < index)
        check.report(['form', word, index, 'title'], `Two ${word} are called "${title}".`, 'Give each its own title.');
    });
  },
  overlay: { lay: (laying) => ({ form: { ...laying.product.form, tabs: arrange(laying) } }) },
  chapter: 'The form',
  doc: [
    '**`form`** has `sections`, or `tabs` of sections. A section has `fields`, and may have a `title`, a `help` sentence',
    'and `columns` (default: 1 for wide fields and child rows, 2 otherwise). Fields that no section lists are added to the',
    'last section.',
    '',
    'With `steps` instead of `tabs`, the form for a new record is a wizard: each step is validated before the next, going',
    'back loses nothing, and the last page shows everything before it is saved. As in every form, the browser keeps a',
    'draft. For an existing record the steps are shown as tabs.',
  ],
  example: [
    {
      part: {
        form: {
          sections: [
            { fields: ['number', 'ordered_on'] },
            { title: 'What we buy', help: 'One line an item.', columns: 1, fields: ['lines', 'total'] },
          ],
        },
      },
    },
    {
      part: {
        form: {
          tabs: [
            { title: 'Order', sections: [{ fields: ['number', 'supplier'] }] },
            { title: 'Items', sections: [{ columns: 1, fields: ['lines'] }] },
          ],
        },
      },
    },
    {
      part: {
        form: {
          steps: [
            { title: 'Supplier', sections: [{ fields: ['number', 'supplier'] }] },
            { title: 'Items', sections: [{ columns: 1, fields: ['lines'] }] },
          ],
        },
      },
    },
  ],
});
