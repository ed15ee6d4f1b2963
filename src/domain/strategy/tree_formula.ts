/** A formula of a driver tree: numbers, codes of children, + - * / and brackets. */
export interface TreeFormula {
  /** The codes it names, each once. */
  codes: string[];
  /** Its value; null = it cannot be computed: a value is missing, or it divides by 0. */
  value(of: (code: string) => number | null): number | null;
}

type Term = (of: (code: string) => number | null) => number | null;

const TOKEN = /\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|[-+*/()])/y;

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text);
    if (!found) return null;
    tokens.push(found[1]!);
  }
  return tokens;
}

const joined =
  (left: Term, right: Term, by: (a: number, b: number) => number): Term =>
  (of) => {
    const a = left(of);
    const b = right(of);
    if (a === null || b === null) return null;
    const result = by(a, b);
    // Division by 0 gives no number, and the library's Infinity is none either.
    return Number.isFinite(result) ? result : null;
  };

/** Reads a formula. @returns what is wrong with it, in words, if it cannot be read */
export function treeFormula(text: string): TreeFormula | { wrong: string } {
  const tokens = tokensOf(text);
  if (tokens === null) return { wrong: 'Use only numbers, codes, + - * / and brackets.' };
  const codes = new Set<string>();
  let at = 0;
  const broken = { wrong: 'The formula is incomplete.' };
  const factor = (): Term | null => {
    const token = tokens[at++];
    if (token === undefined) return null;
    if (token === '-') {
      const inner = factor();
      return (
        inner &&
        joined(
          () => 0,
          inner,
          (a, b) => a - b,
        )
      );
    }
    if (token === '(') {
      const inner = sum();
      return inner && tokens[at++] === ')' ? inner : null;
    }
    if (/^\d/.test(token)) return () => Number(token);
    if (!/^[A-Za-z_]/.test(token)) return null;
    codes.add(token);
    return (of) => of(token);
  };
  const chain = (next: () => Term | null, signs: Record<string, (a: number, b: number) => number>): Term | null => {
    let left = next();
    while (left && tokens[at] !== undefined && signs[tokens[at]!]) {
      const by = signs[tokens[at++]!]!;
      const right = next();
      left = right && joined(left, right, by);
    }
    return left;
  };
  const product = () => chain(factor, { '*': (a, b) => a * b, '/': (a, b) => a / b });
  function sum(): Term | null {
    return chain(product, { '+': (a, b) => a + b, '-': (a, b) => a - b });
  }
  const value = sum();
  return value === null || at < tokens.length ? broken : { codes: [...codes], value };
}
