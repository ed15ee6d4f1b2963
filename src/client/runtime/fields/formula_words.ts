import { hostFields } from './reference/apply_choice.ts';
import type { FieldHost } from './widget.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';

const signs: Record<string, string> = { '*': '×', '/': '÷', '-': '−' };

/** A formula with field titles instead of names: "Quantity × Rate". */
export function formulaInWords(formula: string, host: FieldHost | null): string {
  const titles = new Map(
    host ? [...host.screen.fields, ...hostFields(host)].map((field) => [field.name, field.title]) : [],
  );
  for (const field of host?.screen.fields ?? [])
    for (const column of field.rows ?? [])
      titles.set(`${field.name}.${column.name}`, `${column.title} of ${inSentence(field.title)}`);
  // String literals are unchanged; only names outside quotation marks are replaced.
  return formula.replace(
    /'[^']*'|"[^"]*"|[a-z_][\w.]*|[*/-]/gi,
    (part) => titles.get(part) ?? (/^[*/-]$/.test(part) ? signs[part]! : part),
  );
}
