import { Decimal } from 'decimal.js';

/** Formulas of calculated KPIs (performance.md §5.8): codes of KPIs, + - * / and brackets, comparisons in `if`, and functions. */

const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });

/** How a formula looks at a KPI, beside its value of the same month. */
const VIEWS = ['prev', 'sply', 'ytd', 'target', 'avg_of', 'sum_of', 'team'] as const;
export type View = 'value' | (typeof VIEWS)[number];
const COUNTED: readonly View[] = ['prev', 'avg_of', 'sum_of'];
const FUNCTIONS = ['round', 'min', 'max', 'abs', 'if'] as const;

/** One look at a KPI: so many months back or together where the view counts them. */
export interface Look {
  view: View;
  code: string;
  count: number;
}

/** The value of a look; null = there is none. */
export type Lookup = (look: Look) => Decimal.Value | null;

/** With 6 decimals, or why there is no value. */
export type FormulaResult = { value: string } | { reason: string };

export interface KpiFormula {
  looks: Look[];
  compute(of: Lookup): FormulaResult;
}

class NotComputable extends Error {}
type Term = (of: Lookup) => Decimal;

const TOKEN = /\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|<=|>=|==|!=|[-+*/(),<>])/y;

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text);
    if (!found) return null;
    tokens.push(found[1]!);
  }
  return tokens;
}

class Wrong extends Error {}

const COMPARE: Record<string, (a: Decimal, b: Decimal) => boolean> = {
  '<': (a, b) => a.lessThan(b),
  '>': (a, b) => a.greaterThan(b),
  '<=': (a, b) => a.lessThanOrEqualTo(b),
  '>=': (a, b) => a.greaterThanOrEqualTo(b),
  '==': (a, b) => a.equals(b),
  '!=': (a, b) => !a.equals(b),
};

/** What each view is called where its value is missing. */
const SAYS: Record<View, (code: string, count: number) => string> = {
  value: (code) => code,
  prev: (code, count) => (count === 1 ? `${code} of the month before` : `${code} of ${count} months before`),
  sply: (code) => `${code} of the year before`,
  ytd: (code) => `${code} of the year so far`,
  target: (code) => `The target of ${code}`,
  avg_of: (code, count) => `${code} of ${count} months`,
  sum_of: (code, count) => `${code} of ${count} months`,
  team: (code) => `${code} of the team`,
};

class Reader {
  readonly looks: Look[] = [];
  readonly #tokens: string[];
  #at = 0;

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  all(): Term {
    const term = this.#comparison();
    if (this.#at < this.#tokens.length) throw new Wrong('The formula is not complete.');
    return term;
  }

  #take(token: string): void {
    if (this.#tokens[this.#at++] !== token) throw new Wrong(`A ${token} is missing.`);
  }

  #comparison(): Term {
    const left = this.#sum();
    const compare = COMPARE[this.#tokens[this.#at] ?? ''];
    if (!compare) return left;
    this.#at++;
    const right = this.#sum();
    return (of) => new Exact(compare(left(of), right(of)) ? 1 : 0);
  }

  #sum(): Term {
    let left = this.#product();
    for (let sign = this.#tokens[this.#at]; sign === '+' || sign === '-'; sign = this.#tokens[this.#at]) {
      this.#at++;
      const [before, right, isPlus] = [left, this.#product(), sign === '+'];
      left = (of) => (isPlus ? before(of).plus(right(of)) : before(of).minus(right(of)));
    }
    return left;
  }

  #product(): Term {
    let left = this.#factor();
    for (let sign = this.#tokens[this.#at]; sign === '*' || sign === '/'; sign = this.#tokens[this.#at]) {
      const start = ++this.#at;
      const [before, right] = [left, this.#factor()];
      if (sign === '*') {
        left = (of) => before(of).times(right(of));
        continue;
      }
      const divisor = this.#tokens
        .slice(start, this.#at)
        .join('')
        .replace(/^\((.*)\)$/, '$1');
      left = (of) => {
        const from = before(of);
        const by = right(of);
        if (by.isZero()) throw new NotComputable(`${divisor} is 0`);
        return from.dividedBy(by);
      };
    }
    return left;
  }

  #factor(): Term {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Wrong('The formula is not complete.');
    if (token === '-') {
      const inner = this.#factor();
      return (of) => inner(of).negated();
    }
    if (token === '(') {
      const inner = this.#comparison();
      this.#take(')');
      return inner;
    }
    if (/^\d/.test(token)) return () => new Exact(token);
    if (!/^[A-Za-z_]/.test(token)) throw new Wrong(`${token} stands in a wrong place.`);
    if (this.#tokens[this.#at] !== '(') return this.#look({ view: 'value', code: token, count: 0 });
    this.#at++;
    if ((VIEWS as readonly string[]).includes(token)) return this.#viewed(token as View);
    if ((FUNCTIONS as readonly string[]).includes(token)) return this.#called(token as (typeof FUNCTIONS)[number]);
    throw new Wrong(`There is no function ${token}.`);
  }

  #look(look: Look): Term {
    this.looks.push(look);
    return (of) => {
      const value = of(look);
      if (value === null) throw new NotComputable(`${SAYS[look.view](look.code, look.count)} is missing`);
      return new Exact(value);
    };
  }

  #viewed(view: View): Term {
    const code = this.#tokens[this.#at++] ?? '';
    if (!/^[A-Za-z_]/.test(code)) throw new Wrong(`${view} needs the code of a KPI.`);
    let count = 1;
    if (this.#tokens[this.#at] === ',' && COUNTED.includes(view)) {
      this.#at++;
      count = Number(this.#tokens[this.#at++]);
      if (!Number.isInteger(count) || count < 1 || count > 36) throw new Wrong(`${view} counts 1 to 36 months.`);
    }
    this.#take(')');
    return this.#look({ view, code, count });
  }

  #called(name: (typeof FUNCTIONS)[number]): Term {
    const parts = [this.#comparison()];
    while (this.#tokens[this.#at] === ',') {
      this.#at++;
      parts.push(this.#comparison());
    }
    this.#take(')');
    const [first, second, third] = parts as [Term, Term | undefined, Term | undefined];
    const most = { round: 2, min: 20, max: 20, abs: 1, if: 3 }[name];
    if (parts.length > most || (name === 'if' && parts.length < 3)) throw new Wrong(`${name} takes other values.`);
    switch (name) {
      case 'round':
        return (of) =>
          first(of).toDecimalPlaces(second ? Math.max(0, second(of).toNumber()) : 0, Decimal.ROUND_HALF_UP);
      case 'abs':
        return (of) => first(of).abs();
      case 'if':
        return (of) => (first(of).isZero() ? third!(of) : second!(of));
      default:
        return (of) => Decimal[name](...parts.map((part) => part(of)));
    }
  }
}

/** Reads a formula. @returns what is wrong with it, in words, if it cannot be read */
export function kpiFormula(text: string): KpiFormula | { wrong: string } {
  const tokens = tokensOf(text);
  if (tokens === null) return { wrong: 'Use codes of KPIs, numbers, + - * / and brackets.' };
  const reader = new Reader(tokens);
  try {
    const term = reader.all();
    return {
      looks: reader.looks,
      compute(of) {
        try {
          return { value: term(of).toDecimalPlaces(6, Decimal.ROUND_HALF_UP).toFixed() };
        } catch (error) {
          if (error instanceof NotComputable) return { reason: error.message };
          throw error;
        }
      },
    };
  } catch (error) {
    if (error instanceof Wrong) return { wrong: error.message };
    throw error;
  }
}

/** The way from a formula back to itself through the KPIs it uses; null = there is none. @param uses codes by code */
export function circleOf(code: string, uses: ReadonlyMap<string, readonly string[]>): string[] | null {
  const follow = (at: string, way: readonly string[]): string[] | null => {
    for (const next of uses.get(at) ?? []) {
      if (next === code) return [...way, next];
      if (way.includes(next)) continue;
      const found = follow(next, [...way, next]);
      if (found) return found;
    }
    return null;
  };
  return follow(code, [code]);
}

/** The known code that a wrong one is most like, by its letters; null = none is. */
export function likeliest(code: string, known: readonly string[]): string | null {
  const [best] = known
    .map((one) => ({ one, off: distance(code.toUpperCase(), one) }))
    .toSorted((a, b) => a.off - b.off || a.one.localeCompare(b.one));
  return best && best.off <= Math.max(1, Math.floor(code.length / 3)) ? best.one : null;
}

/** How many letters are to be changed, added or left out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (const [other, against] of [...b].entries())
      next.push(Math.min(row[other + 1]! + 1, next[other]! + 1, row[other]! + (letter === against ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
