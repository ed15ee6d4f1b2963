import { formatValue } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import { RELATIVE_DAYS, isRelative } from '../../../domain/relative_days.ts';
import type { Chosen } from './report_view.ts';

/** The choices of a report as text: "Posted on, from: Last month". For references it only says that one was chosen. */
export function chosenWords({ parameters }: { parameters: readonly Field[] }, chosen: Chosen): string[] {
  return parameters.flatMap((field) => {
    const text = chosen[field.name];
    if (text === undefined || text === '') return [];
    const value =
      field.type === 'date' && isRelative(text)
        ? RELATIVE_DAYS[text].title
        : field.ref
          ? 'as chosen'
          : formatValue(field, text);
    return [`${field.title}: ${value}`];
  });
}
