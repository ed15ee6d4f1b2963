/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Answer = { statusCode: number; body: string; json<T>(): T };

/** What a history does by the interface: a refusal is told, anything that is no refusal ends it. */
export class Player<Doc extends { version: number }> {
  readonly told: string[] = [];
  readonly #name: string;
  readonly #random: () => number;
  readonly #call: (by: 0 | 1 | 2, method: string, url: string, body?: object) => Promise<Answer>;

  constructor(
    name: string,
    seed: number,
    call: (by: 0 | 1 | 2, method: string, url: string, body?: object) => Promise<Answer>,
  ) {
    this.#name = `${name} ${seed}`;
    this.#random = randomOf(seed);
    this.#call = call;
  }

  random = (): number => this.#random();
  whole = (below: number): number => Math.floor(this.#random() * below);
  pick = <T>(of: readonly T[]): T | undefined => of[this.whole(of.length)];

  /** @returns the record; null = refused, for a reason that people are given */
  ask = async (by: 0 | 1 | 2, method: string, url: string, body?: object): Promise<Doc | null> => {
    const answer = await this.#call(by, method, `/tapi/${url}`, body);
    if (answer.statusCode >= 500 || answer.statusCode === 400 || answer.statusCode === 403)
      throw new Error(`${this.#name}: ${this.told.join('; ')}; ${method} ${url} was answered ${answer.body}`);
    if (answer.statusCode >= 300) {
      this.told.push(`(${answer.statusCode})`);
      return null;
    }
    return answer.json<{ data: Doc }>().data;
  };

  /** A transition of the record as it is now. */
  step = async (by: 0 | 1 | 2, type: string, id: number, name: string, more: object = {}): Promise<Doc | null> => {
    const now = await this.ask(by, 'GET', `${type}/${id}`);
    return this.ask(by, 'POST', `${type}/${id}/${name}`, { version: now!.version, ...more });
  };

  /**
   * Plays so many acts, those of the list by chance, the same for the same seed.
   * @throws Error with the history where `differences` finds something after one of them
   */
  async play<Act extends string>(
    acts: Record<Act, () => Promise<unknown>>,
    list: readonly Act[],
    steps: number,
    differences: () => Promise<string[]>,
  ): Promise<{ taken: number; refused: number }> {
    let [taken, refused] = [0, 0];
    for (let left = steps; left > 0; left--) {
      const act = list[this.whole(list.length)]!;
      this.told.push(act);
      if (await acts[act]()) taken++;
      else refused++;
      const wrong = await differences();
      if (wrong.length > 0) throw new Error(`${this.#name}: ${this.told.join('; ')}. ${wrong.join('; ')}.`);
    }
    return { taken, refused };
  }
}
