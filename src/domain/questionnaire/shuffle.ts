/** A hash of a text, the same on every machine. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash >>> 0;
}

/** A sequence of numbers from 0 to 1, determined by the seed. */
function drawn(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A shuffled list, always the same for one seed; the last `pinned` keep their positions. */
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

/** The seed of shuffled content for an answering record. */
export const seedOf = (type: string, id: number): string => `${type} ${id}`;
