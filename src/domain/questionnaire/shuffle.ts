/** A number from a text, the same on every machine. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash >>> 0;
}

/** Numbers from 0 to 1 in an order that the seed decides. */
function drawn(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A list in another order, always the same for one seed; the last `pinned` keep their places. */
export function shuffled<T>(list: readonly T[], seed: string, pinned = 0): T[] {
  const fixed = Math.min(Math.max(pinned, 0), list.length);
  const free = list.slice(0, list.length - fixed);
  const draw = drawn(hashOf(seed));
  for (let at = free.length - 1; at > 0; at--) {
    const other = Math.floor(draw() * (at + 1));
    [free[at], free[other]] = [free[other]!, free[at]!];
  }
  return [...free, ...list.slice(list.length - fixed)];
}

/** What decides the order of what is shuffled for a record that answers. */
export const seedOf = (type: string, id: number): string => `${type} ${id}`;
