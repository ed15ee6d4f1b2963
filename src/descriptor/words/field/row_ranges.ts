import type { FieldCheck } from '../../check_context.ts';
import { rangeKey } from '../../ranges.ts';
import { checkRange } from '../range_keys.ts';
import type { FieldCompiling } from '../word.ts';
import type { Field, RangeWord, WrittenRange } from '../../types.ts';

/** "x-valid" and "x-bands" of child rows, after the ranges compiled before. */
export function compileRowRange(
  word: RangeWord,
  written: (WrittenRange & { gapless?: boolean }) | undefined,
  { field, source, at, known }: FieldCompiling,
): void {
  if (!written) return;
  if (field.rows) field.rowRanges = [...(field.rowRanges ?? []), rangeKey(word, written, field.rows)];
  else if (known)
    source.report(
      [...at, `x-${word}`],
      `"${field.name}" has no child rows.`,
      `For the records themselves write "${word}" beside "schema".`,
    );
}

export function checkRowRanges(word: RangeWord, field: Field, { check, at }: FieldCheck): void {
  for (const range of field.rowRanges ?? [])
    if (range.word === word) checkRange(check, word, range, field.rows!, [...at, `x-${word}`]);
}
