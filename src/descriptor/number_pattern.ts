/** A part of the pattern of a number. `digits`: it begins with a digit that may be 0. */
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

/** One character of what a pattern makes, or, `more`, one or several. */
interface Step {
  fits: RegExp;
  text?: string;
  more?: boolean;
}

const DIGIT = /[0-9]/;
/** Values of fields have no slash where there are several series. */
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

/** Whether two patterns can make the same number. */
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
