import { fieldWords } from './field/registry.ts';
import { screenWords } from './registry.ts';
import type { FieldWord, ScreenWord } from './word.ts';

/** The headings of the reference, in order; every word names one of them as its chapter. */
export const CHAPTERS = {
  screen: [
    'What it is',
    'Who may open it',
    'Addresses and menu',
    'The fields',
    'Parts and owners',
    'Due dates and notices',
    'Checks',
    'Automatic numbers, trees and hierarchies',
    'Steps and looks',
    'Questionnaires',
    "Records from the platform's libraries",
    'Fields customised by the client',
    'The form',
    'The list',
  ],
  field: [
    'Numbers and dates',
    'Renamed fields',
    'Lists of values',
    'References',
    'Computed fields',
    'Conditionally shown or required',
    'Locked and hidden fields',
    'Secrets',
    'Settings',
    'Child rows',
  ],
};

const WIDTH = 120;

/** JSON as people write it: on one line if it fits, otherwise each part on its own line. */
export function written(value: unknown, indent = 0): string {
  const line = onOneLine(value);
  if (value === null || typeof value !== 'object' || indent + line.length <= WIDTH) return line;
  const pad = ' '.repeat(indent + 2);
  const parts = Array.isArray(value)
    ? value.map((part) => pad + written(part, indent + 2))
    : Object.entries(value).map(([key, part]) => {
        const name = `${JSON.stringify(key)}: `;
        const short = onOneLine(part);
        return pad + name + (pad.length + name.length + short.length <= WIDTH ? short : written(part, indent + 2));
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${onOneLine(part)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function entry(word: ScreenWord | FieldWord): string[] {
  const fences = (word.example ?? []).map(
    ({ part, name = word.on === 'field' && !('$schema' in part) ? 'fields' : '' }) =>
      `\`\`\`json ${name}`.trim() + `\n${written(part)}\n\`\`\``,
  );
  return [...(word.doc.length > 0 ? [word.doc.join('\n')] : []), ...fences];
}

/** The reference of the words, chapter by chapter, as included between the marks in docs/descriptors.md. */
export function reference(on: 'screen' | 'field'): string {
  const words: readonly (ScreenWord | FieldWord)[] = on === 'screen' ? screenWords : fieldWords;
  const lost = words.find(({ chapter, doc }) => doc.length > 0 && !CHAPTERS[on].includes(chapter));
  if (lost) throw new Error(`The word "${lost.name}" names no chapter of the reference: "${lost.chapter}".`);
  return CHAPTERS[on]
    .map((chapter) =>
      [`### ${chapter}`, ...words.filter((word) => word.chapter === chapter).flatMap(entry)].join('\n\n'),
    )
    .join('\n\n');
}
