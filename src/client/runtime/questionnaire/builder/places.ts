import type { Values } from '../../form/values.ts';

/** A section, or a question in it, by index. */
export interface Place {
  section: number;
  question?: number | undefined;
}

/** Names of the rows fields with sections and questions. */
export interface Names {
  sections: string;
  questions: string;
}

export const rowsOf = (values: Values | undefined, name: string): Values[] =>
  Array.isArray(values?.[name]) ? (values[name] as Values[]) : [];

/** The row at a place. */
export function rowAt(values: Values, names: Names, { section, question }: Place): Values | undefined {
  const row = rowsOf(values, names.sections)[section];
  return question === undefined ? row : rowsOf(row, names.questions)[question];
}

/** All sections with one of them changed. */
function withSection(values: Values, { sections }: Names, at: number, change: (row: Values) => Values): Values {
  return { [sections]: rowsOf(values, sections).map((row, place) => (place === at ? change(row) : row)) };
}

/** The changes when a row gets other values. */
export function patched(values: Values, names: Names, { section, question }: Place, patch: Values): Values {
  return withSection(values, names, section, (row) =>
    question === undefined
      ? { ...row, ...patch }
      : {
          ...row,
          [names.questions]: rowsOf(row, names.questions).map((one, place) =>
            place === question ? { ...one, ...patch } : one,
          ),
        },
  );
}

/** An unused code: `q4`. */
export function freeCode(values: Values, names: Names, prefix: 's' | 'q'): string {
  const sections = rowsOf(values, names.sections);
  const rows = prefix === 's' ? sections : sections.flatMap((row) => rowsOf(row, names.questions));
  const taken = new Set(rows.map(({ code }) => code));
  let number = rows.length + 1;
  while (taken.has(`${prefix}${number}`)) number++;
  return `${prefix}${number}`;
}

/**
 * The changes when a row is added after a position; without one, a question is added at the end of the last section.
 */
export function added(values: Values, names: Names, { section, question }: Place, row: Values): [Values, Place] {
  if (question === undefined && 'title' in row) {
    const all = rowsOf(values, names.sections);
    return [{ [names.sections]: all.toSpliced(section + 1, 0, row) }, { section: section + 1 }];
  }
  const questions = rowsOf(rowsOf(values, names.sections)[section], names.questions);
  const at = question === undefined ? questions.length : question + 1;
  return [
    withSection(values, names, section, (one) => ({ ...one, [names.questions]: questions.toSpliced(at, 0, row) })),
    { section, question: at },
  ];
}

/** The changes when the row at a position is removed, and the new selection. */
export function removed(values: Values, names: Names, { section, question }: Place): [Values, Place | null] {
  const sections = rowsOf(values, names.sections);
  if (question === undefined)
    return [
      { [names.sections]: sections.toSpliced(section, 1) },
      sections.length > 1 ? { section: Math.max(section - 1, 0) } : null,
    ];
  const questions = rowsOf(sections[section], names.questions);
  return [
    withSection(values, names, section, (one) => ({ ...one, [names.questions]: questions.toSpliced(question, 1) })),
    { section, ...(questions.length > 1 && { question: Math.max(question - 1, 0) }) },
  ];
}

/**
 * The changes when a row is moved up or down: the last question of a section moves into the next one. Null: not
 * possible.
 */
export function moved(values: Values, names: Names, { section, question }: Place, by: -1 | 1): [Values, Place] | null {
  const sections = rowsOf(values, names.sections);
  const swap = <T>(list: readonly T[], at: number): T[] => {
    const next = [...list];
    [next[at], next[at + by]] = [next[at + by]!, next[at]!];
    return next;
  };
  if (question === undefined)
    return sections[section + by] === undefined
      ? null
      : [{ [names.sections]: swap(sections, section) }, { section: section + by }];
  const questions = rowsOf(sections[section], names.questions);
  if (questions[question + by] !== undefined)
    return [
      withSection(values, names, section, (one) => ({ ...one, [names.questions]: swap(questions, question) })),
      { section, question: question + by },
    ];
  const target = sections[section + by];
  // A stored question stays in its section, because its history and references are there.
  if (target === undefined || questions[question]?.id !== undefined) return null;
  const other = rowsOf(target, names.questions);
  const at = by > 0 ? 0 : other.length;
  const next = sections.map((one, place) =>
    place === section
      ? { ...one, [names.questions]: questions.toSpliced(question, 1) }
      : place === section + by
        ? { ...one, [names.questions]: other.toSpliced(at, 0, questions[question]!) }
        : one,
  );
  return [{ [names.sections]: next }, { section: section + by, question: at }];
}
