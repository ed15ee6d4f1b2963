/** A person or an empty post as the chart knows it. */
export interface ChartPerson {
  id: number;
  /** Who they report to; null = nobody. */
  parent: number | null;
  name: string;
  empno: string;
  designation: string | null;
  department: string | null;
  branch: string | null;
  /** Day of joining, YYYY-MM-DD. */
  joined: string | null;
  status: string;
  /** Whom they report to besides. */
  dotted: number[];
  score: number | null;
  band: string | null;
  version: number;
  /** An empty post: how many people are wanted; 0 = it is a person. */
  wanted: number;
}

/** A person of a list that has no more than places, names, numbers and designations. */
export const listedPerson = (
  person: Pick<ChartPerson, 'id' | 'parent' | 'name' | 'empno' | 'designation'>,
  version = 0,
): ChartPerson => ({
  ...person,
  department: null,
  branch: null,
  joined: null,
  status: 'active',
  dotted: [],
  score: null,
  band: null,
  version,
  wanted: 0,
});

/** Who stands below whom, with everybody who cannot be placed. */
export class ChartTree {
  readonly people: ReadonlyMap<number, ChartPerson>;
  /** Without a manager, those with most people below first. */
  readonly roots: number[] = [];
  /** Below a manager who is not here, or in a circle. */
  readonly unplaced: number[] = [];
  readonly #below = new Map<number, number[]>();
  readonly #headCount = new Map<number, number>();
  readonly #level = new Map<number, number>();

  constructor(people: Iterable<ChartPerson>) {
    this.people = new Map([...people].map((one) => [one.id, one]));
    for (const { id, parent } of this.people.values()) {
      if (parent === null) this.roots.push(id);
      else if (this.people.has(parent) && parent !== id) {
        const list = this.#below.get(parent);
        if (list) list.push(id);
        else this.#below.set(parent, [id]);
      } else this.unplaced.push(id);
    }
    // From the top down, so that those below are counted on the way back.
    const order: number[] = [];
    for (const starts of [this.roots, this.unplaced]) for (const start of starts) this.#walk(start, 0, order);
    for (const id of this.people.keys())
      if (!this.#level.has(id)) {
        // A circle has no top: it is cut where it is met first.
        this.unplaced.push(id);
        const { parent } = this.people.get(id)!;
        const siblings = parent === null ? undefined : this.#below.get(parent);
        if (siblings) siblings.splice(siblings.indexOf(id), 1);
        this.#walk(id, 0, order);
      }
    for (const id of order.reverse()) {
      const { wanted } = this.people.get(id)!;
      this.#headCount.set(
        id,
        this.below(id).reduce((sum, one) => sum + this.headCount(one), wanted > 0 ? 0 : 1),
      );
    }
    this.roots.sort((a, b) => this.headCount(b) - this.headCount(a));
  }

  #walk(start: number, level: number, order: number[]): void {
    const stack: [number, number][] = [[start, level]];
    while (stack.length > 0) {
      const [id, depth] = stack.pop()!;
      if (this.#level.has(id)) continue;
      this.#level.set(id, depth);
      order.push(id);
      for (const one of this.below(id)) stack.push([one, depth + 1]);
    }
  }

  /** Those who report to somebody directly, empty posts too. */
  below(id: number): readonly number[] {
    return this.#below.get(id) ?? [];
  }

  /** The people in a branch of the tree, its head included. */
  headCount(id: number): number {
    return this.#headCount.get(id) ?? 0;
  }

  /** Direct reports who are people. */
  span(id: number): number {
    return this.below(id).filter((one) => this.people.get(one)!.wanted === 0).length;
  }

  /** Levels below the top; 0 = at the top. */
  level(id: number): number {
    return this.#level.get(id) ?? 0;
  }

  /** Whoever stands above somebody, the nearest first. */
  above(id: number): number[] {
    const path: number[] = [];
    let { parent } = this.people.get(id) ?? { parent: null };
    while (parent !== null && this.people.has(parent) && !path.includes(parent) && parent !== id) {
      path.push(parent);
      parent = this.people.get(parent)!.parent;
    }
    return path;
  }

  /** Why somebody cannot report to another; null = may. */
  refusal(id: number, to: number | null): string | null {
    const person = this.people.get(id);
    if (!person) return 'This person is not in the chart any more.';
    if (person.wanted > 0) return 'An empty post is changed in the list of vacancies.';
    if (to === person.parent)
      return to === null ? `${person.name} is at the top already.` : `${person.name} reports there already.`;
    if (to === null) return null;
    const manager = this.people.get(to);
    if (!manager || manager.wanted > 0) return 'Choose a person.';
    if (to === id) return `${person.name} cannot report to themselves.`;
    const path = [to, ...this.above(to)];
    const at = path.indexOf(id);
    if (at < 0) return null;
    const names = path
      .slice(0, at + 1)
      .reverse()
      .map((one) => this.people.get(one)!.name);
    return `${manager.name} reports to ${person.name}: ${names.join(' → ')}. Choose another manager.`;
  }

  /** Those to whom somebody cannot report: themselves, everybody below, their manager, and empty posts. */
  barred(id: number): ReadonlySet<number> {
    const barred = new Set<number>([id]);
    for (const one of barred) for (const below of this.below(one)) barred.add(below);
    const parent = this.people.get(id)?.parent ?? null;
    if (parent !== null) barred.add(parent);
    for (const one of this.people.values()) if (one.wanted > 0) barred.add(one.id);
    return barred;
  }

  /** Why somebody has no place in the tree. */
  whyUnplaced(id: number): string {
    const { parent } = this.people.get(id)!;
    if (parent === null || !this.people.has(parent)) return 'The manager is not in this chart.';
    const path = this.above(id);
    const at = path.indexOf(id);
    const cycle = at < 0 ? path : path.slice(0, at);
    if (cycle.length === 0) return 'This person reports to themselves.';
    return `A cycle: ${[id, ...cycle, id].map((one) => this.people.get(one)!.name).join(' → ')}.`;
  }

  /** What changes when somebody reports to another. */
  preview(id: number, to: number | null): MovePreview {
    const { parent } = this.people.get(id)!;
    const moved = this.headCount(id);
    const side = (manager: number | null, by: 1 | -1): MoveSide | null =>
      manager === null || !this.people.has(manager)
        ? null
        : {
            name: this.people.get(manager)!.name,
            span: [this.span(manager), this.span(manager) + by],
            headCount: [this.headCount(manager) - 1, this.headCount(manager) - 1 + this.#gain(manager, id, to) * moved],
          };
    const before = this.level(id);
    const after = to === null ? 0 : this.level(to) + 1;
    return { along: moved - 1, from: side(parent, -1), to: side(to, 1), level: [before, after] };
  }

  /** Whether the people below a manager become more (1) or fewer (-1) by a move, or stay (0). */
  #gain(manager: number, id: number, to: number | null): -1 | 0 | 1 {
    const has = this.above(id).includes(manager);
    const willHave = to !== null && (to === manager || this.above(to).includes(manager));
    return has === willHave ? 0 : willHave ? 1 : -1;
  }

  /** Direct reports a manager on average: everybody with a manager by the managers. */
  averageSpan(): number | null {
    const managers = [...this.people.keys()].filter((id) => this.span(id) > 0);
    if (managers.length === 0) return null;
    return Math.round((managers.reduce((sum, id) => sum + this.span(id), 0) / managers.length) * 100) / 100;
  }

  /** People whose name, number or designation holds all words, at most so many. */
  search(text: string, most = 20): ChartPerson[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const found: ChartPerson[] = [];
    for (const person of this.people.values()) {
      const said = `${person.name} ${person.empno} ${person.designation ?? ''}`.toLowerCase();
      if (words.every((word) => said.includes(word))) found.push(person);
      if (found.length === most) break;
    }
    return found;
  }
}

/** A manager before and after a move. */
export interface MoveSide {
  name: string;
  span: [number, number];
  /** People below, however deep. */
  headCount: [number, number];
}

/** What a move changes. */
export interface MovePreview {
  /** People below who move along. */
  along: number;
  from: MoveSide | null;
  to: MoveSide | null;
  level: [number, number];
}
