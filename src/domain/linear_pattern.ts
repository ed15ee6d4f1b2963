/** A client's own regular expression, whose evaluation takes linear time whatever the pattern. */
export interface LinearPattern {
  test(text: string): boolean;
}

/** An invalid pattern, or one that cannot be evaluated in linear time. Its message is shown to people. */
class PatternError extends Error {}

const MAX_STATES = 1_000;
const MAX_TEXT = 10_000;

type Node =
  | { is: 'one'; matches(character: string): boolean }
  | { is: 'start' | 'end' }
  | { is: 'sequence' | 'choice'; of: Node[] }
  | { is: 'repeat'; of: Node; least: number; most: number };

/** `next` are the following states; for `one` after a character, otherwise without one. */
interface State {
  is: 'one' | 'start' | 'end' | 'fork' | 'match';
  matches?: (character: string) => boolean;
  next: number[];
}

/** The characters matched by an escape, a class or the dot. */
function characters(atom: string): Node {
  const single = new RegExp(`^${atom}$`, 'u');
  return { is: 'one', matches: (character) => single.test(character) };
}

/** Parses a pattern that is known to be well formed. */
function parse(pattern: string): Node {
  let at = 0;
  const choice = (): Node => {
    const of = [sequence()];
    while (pattern[at] === '|') {
      at++;
      of.push(sequence());
    }
    return of.length === 1 ? of[0]! : { is: 'choice', of };
  };
  const sequence = (): Node => {
    const of: Node[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') of.push(repeated(atom()));
    return { is: 'sequence', of };
  };
  const atom = (): Node => {
    const rest = pattern.slice(at);
    if (rest.startsWith('(')) {
      if (/^\(\?(?!:)/.test(rest)) throw new PatternError('Look-around and named groups cannot be used in a pattern.');
      at += rest.startsWith('(?:') ? 3 : 1;
      const inner = choice();
      at++;
      return inner;
    }
    if (rest[0] === '^' || rest[0] === '$') {
      at++;
      return { is: rest[0] === '^' ? 'start' : 'end' };
    }
    if (/^\\[1-9kbB]/.test(rest)) throw new PatternError(`"${rest.slice(0, 2)}" cannot be used in a pattern.`);
    const [written] =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u....|\\x..|\\c.|\\.|.)/su.exec(rest) ?? [];
    at += written!.length;
    return characters(written!);
  };
  const repeated = (of: Node): Node => {
    const [written, sign, from, comma, to] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at)) ?? [];
    if (written === undefined) return of;
    at += written.length;
    if (sign !== undefined) return { is: 'repeat', of, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    return { is: 'repeat', of, least: Number(from), most: to ? Number(to) : comma ? Infinity : Number(from) };
  };
  return choice();
}

/** The states of a pattern, built from its end, each leading to those built before it. */
function statesOf(root: Node): { states: State[]; first: number } {
  const states: State[] = [];
  const add = (state: State): number => {
    if (states.length >= MAX_STATES) throw new PatternError('This pattern repeats too much. Write a shorter one.');
    return states.push(state) - 1;
  };
  const before = (node: Node, next: number): number => {
    switch (node.is) {
      case 'one':
        return add({ is: 'one', matches: node.matches, next: [next] });
      case 'start':
      case 'end':
        return add({ is: node.is, next: [next] });
      case 'sequence':
        return node.of.reduceRight((behind, one) => before(one, behind), next);
      case 'choice':
        return add({ is: 'fork', next: node.of.map((one) => before(one, next)) });
      case 'repeat': {
        const { of, least, most } = node;
        let behind = next;
        if (most === Infinity) {
          const fork = add({ is: 'fork', next: [next] });
          states[fork]!.next.push(before(of, fork));
          behind = fork;
        } else
          for (let count = least; count < most; count++) behind = add({ is: 'fork', next: [next, before(of, behind)] });
        for (let count = 0; count < least; count++) behind = before(of, behind);
        return behind;
      }
    }
  };
  const match = add({ is: 'match', next: [] });
  return { states, first: before(root, match) };
}

/**
 * A regular expression (Unicode; without look-around and back references) compiled to a form that never takes long: all
 * paths are followed simultaneously, one character at a time (K. Thompson, 1968). A text of more than 10,000 characters
 * does not match.
 * @throws with the error in the pattern
 */
export function linearPattern(pattern: string): LinearPattern {
  try {
    new RegExp(pattern, 'u');
  } catch {
    throw new PatternError('This is not a regular expression.');
  }
  const { states, first } = statesOf(parse(pattern));
  /** Adds a state and all states reachable without a character. @returns whether the end is among them */
  const reach = (state: number, into: Set<number>, isStart: boolean, isEnd: boolean): boolean => {
    const waiting = [state];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { is, next } = states[one]!;
      if (into.has(one) || (is === 'start' && !isStart) || (is === 'end' && !isEnd)) continue;
      into.add(one);
      if (is === 'match') return true;
      if (is !== 'one') waiting.push(...next);
    }
    return false;
  };
  return {
    test(text) {
      if (text.length > MAX_TEXT) return false;
      const all = [...text];
      let here = new Set<number>();
      if (reach(first, here, true, all.length === 0)) return true;
      for (const [at, character] of all.entries()) {
        const there = new Set<number>();
        const isEnd = at === all.length - 1;
        for (const state of here) {
          const { is, matches, next } = states[state]!;
          if (is === 'one' && matches!(character) && reach(next[0]!, there, false, isEnd)) return true;
        }
        if (reach(first, there, false, isEnd)) return true;
        here = there;
      }
      return false;
    },
  };
}

/** The error in a pattern that a person enters, or null. */
export function patternFault(pattern: string): string | null {
  try {
    linearPattern(pattern);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
