import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldWords } from '../../../src/descriptor/words/field/registry.ts';
import { CHAPTERS, reference, written } from '../../../src/descriptor/words/reference.ts';
import { compileOrder, screenWords } from '../../../src/descriptor/words/registry.ts';
import { screenSchema } from '../../../src/descriptor/words/screen_schema.ts';
import { root } from './fixtures/compile_sample.ts';

const docs = readFileSync(join(root, 'docs/descriptors.md'), 'utf8');
const words = [...screenWords, ...fieldWords];

describe('words', () => {
  // documentation.test.ts compiles every example of docs/descriptors.md.
  for (const word of words)
    it(`${word.name} of a ${word.on} is documented, and its examples are those of the docs`, () => {
      const { description, $ref } = word.shape as { description?: string; $ref?: string };
      expect(description ?? $ref).toBeTruthy();
      for (const { part, name } of word.example ?? []) {
        expect(docs).toContain(written(part));
        expect(name === 'schema' || JSON.stringify(part).includes(`"${word.name}"`)).toBe(true);
      }
      // What JSON Schema says itself stands in the hand-written part of the chapter.
      if (word.chapter === 'Types') return;
      expect(CHAPTERS[word.on]).toContain(word.chapter);
      expect(reference(word.on)).toContain(`\`${word.name}\``);
    });

  it('are unique', () => {
    for (const names of [screenWords.map(({ name }) => name), fieldWords.map(({ name }) => name)])
      expect(new Set(names).size).toBe(names.length);
  });

  it('are compiled after the words that they need', () => {
    const place = new Map(compileOrder.map(({ name }, at) => [name, at]));
    for (const { name, after } of screenWords)
      for (const before of after ?? []) expect(place.get(before)).toBeLessThan(place.get(name)!);
  });

  it('generate the meta-schema for editors', () => {
    expect(JSON.parse(readFileSync(join(root, 'schemas/meta/screen.schema.json'), 'utf8'))).toEqual(screenSchema);
  });

  it('generate the reference in the docs', () => {
    for (const on of ['screen', 'field'] as const) expect(docs).toContain(reference(on));
  });
});
