/** A part of a number pattern. `digits`: it begins with a digit that may be 0. */
export type NumberToken =
  | { kind: 'text'; text: string }
  | { kind: 'counter'; width: number; digits: true }
  | { kind: 'fy' | 'company' }
  | { kind: 'yyyy' | 'yy' | 'mm'; digits: boolean }
  | { kind: 'path'; path: string };

/** The parts of a pattern: "CON/{fy}/{0000}". */
export function numberTokens(pattern: string): NumberToken[] {
  return pattern.split(/(\{[^}]*\})/).flatMap((part): NumberToken[] => {
    if (part === '') return [];
    if (!part.startsWith('{')) return [{ kind: 'text', text: part }];
    const name = part.slice(1, -1);
    if (/^0+$/.test(name)) return [{ kind: 'counter', width: name.length, digits: true }];
    if (name === 'fy' || name === 'company') return [{ kind: name }];
    if (name === 'yyyy' || name === 'yy' || name === 'mm') return [{ kind: name, digits: name !== 'yyyy' }];
    return [{ kind: 'path', path: name }];
  });
}

/** One character that a pattern can produce, or, with `more`, one or several. */
interface Step {
  fits: RegExp;
  text?: string;
  more?: boolean;
}

const DIGIT = /[0-9]/;
/** Values of fields have no slash if there are several series. */
const VALUE = /[^/]/;

const digits = (count: number): Step[] => Array.from({ length: count }, () => ({ fits: DIGIT }));

function stepsOf(token: NumberToken): Step[] {
  if (token.kind === 'text') return [...token.text.toLowerCase()].map((text) => ({ fits: /./, text }));
  if (token.kind === 'counter') return [...digits(token.width - 1), { fits: DIGIT, more: true }];
  if (token.kind === 'fy') return [...digits(4), { fits: /-/, text: '-' }, ...digits(2)];
  if (token.kind === 'yyyy') return digits(4);
  if (token.kind === 'yy' || token.kind === 'mm') return digits(2);
  return [{ fits: VALUE, more: true }];
}

const alike = (one: Step, other: Step): boolean => {
  if (one.text !== undefined && other.text !== undefined) return one.text === other.text;
  if (one.text !== undefined) return other.fits.test(one.text);
  // Digits are values too.
  return other.text === undefined || one.fits.test(other.text);
};

/** Whether two patterns can produce the same number. */
export function canCollide(one: string, other: string): boolean {
  const [a, b] = [one, other].map((pattern) => numberTokens(pattern).flatMap(stepsOf)) as [Step[], Step[]];
  const seen = new Set<string>();
  const meet = (i: number, j: number): boolean => {
    if (i === a.length && j === b.length) return true;
    const [x, y] = [a[i], b[j]];
    const key = `${i} ${j}`;
    if (!x || !y || seen.has(key)) return false;
    seen.add(key);
    if (!alike(x, y)) return false;
    return meet(i + 1, j + 1) || (x.more === true && meet(i, j + 1)) || (y.more === true && meet(i + 1, j));
  };
  return meet(0, 0);
}

/** The maximum length of a part of a pattern; unknown for a path. */
function widthOf(token: NumberToken): number {
  if (token.kind === 'text') return token.text.length;
  if (token.kind === 'counter') return token.width;
  return { fy: 7, yyyy: 4, yy: 2, mm: 2, company: 1, path: 1 }[token.kind];
}

/**
 * The error in a pattern that a client writes instead of one of the product's; null = none. It may use only the fields
 * that the product's patterns use. `others`: the current other patterns of the type.
 */
export function clientPatternProblem(
  { patterns, most }: { patterns: readonly string[]; most?: number },
  others: readonly string[],
  pattern: string,
): string | null {
  const tokens = numberTokens(pattern);
  const counters = tokens.filter(({ kind }) => kind === 'counter');
  if (counters.length !== 1) return 'Write the counter once, such as {0000}.';
  const [first] = tokens;
  if (first?.kind === 'text' ? /^[0\-/]/.test(first.text) : first && 'digits' in first && first.digits)
    return 'A number does not begin with 0, - or /. Begin it with letters.';
  const at = tokens.findIndex(({ kind }) => kind === 'counter');
  for (const beside of [tokens[at - 1], tokens[at + 1]])
    if (beside && beside.kind !== 'text')
      return 'Put a character such as / between the counter and the digits next to it.';
  const paths = new Set(patterns.flatMap(numberTokens).flatMap((one) => (one.kind === 'path' ? [one.path] : [])));
  const foreign = tokens.find((one) => one.kind === 'path' && !paths.has(one.path));
  if (foreign?.kind === 'path')
    return `{${foreign.path}} is not known here. There are: ${['fy', 'yyyy', 'yy', 'mm', 'company', ...paths].map((one) => `{${one}}`).join(', ')} and the counter {0000}.`;
  if (/[{}]/.test(tokens.map((one) => (one.kind === 'text' ? one.text : '')).join(''))) return 'A brace is not closed.';
  const width = tokens.reduce((sum, token) => sum + widthOf(token), 0);
  if (most !== undefined && width > most)
    return `The number would have ${width} characters; at most ${most} are allowed.`;
  const same = others.find((other) => other !== pattern && canCollide(other, pattern));
  if (same !== undefined) return `"${same}" could make the same number. Let them differ in letters at the same place.`;
  return others.includes(pattern) ? 'Another series of these records has this pattern.' : null;
}

/** A sample number produced by the pattern. */
export function numberExample(pattern: string): string {
  const shown = { fy: '2026-27', yyyy: '2026', yy: '26', mm: '04', company: 'AC', path: 'X' };
  return numberTokens(pattern)
    .map((token) => {
      if (token.kind === 'text') return token.text;
      return token.kind === 'counter' ? '1'.padStart(token.width, '0') : shown[token.kind];
    })
    .join('');
}
