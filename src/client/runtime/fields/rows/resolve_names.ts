import type { Field } from '../../../../descriptor/types.ts';
import type { Option } from '../reference/option_calls.ts';
import { fetchOptions } from '../reference/option_calls.ts';
import type { FieldHost } from '../widget.ts';

const atOnce = 6;

/** The one record that a pasted name or code refers to; a name shared by several refers to none. */
export function matchOption(options: Option[], text: string): Option | null {
  const wanted = text.trim().toLowerCase();
  const byDetail = options.filter(({ detail }) => detail?.toLowerCase() === wanted);
  const byLabel = options.filter(({ label }) => label.toLowerCase() === wanted);
  const found = byDetail.length === 1 ? byDetail : byLabel;
  return found.length === 1 ? found[0]! : null;
}

/** Looks up pasted names of a reference column, each once; unknown names are missing in the result. */
export async function resolveNames(
  host: FieldHost | null,
  column: Field,
  texts: string[],
): Promise<Map<string, Option>> {
  const waiting = [...new Set(texts)];
  const found = new Map<string, Option>();
  const work = async () => {
    for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
      const option = matchOption(await fetchOptions(host, column, { q: text, limit: 50 }).catch(() => []), text);
      if (option) found.set(text, option);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found;
}
