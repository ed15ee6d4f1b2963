/** How long a chunk may take. */
export const chunkTime = 120_000;

/** A part of the program that did not arrive: the page offers to load again. */
class ChunkError extends Error {
  override readonly name = 'ChunkError';
  constructor(cause: unknown) {
    super('This page could not be loaded.', { cause });
  }
}

/** Runs a dynamic import and gives up after {@link chunkTime}. */
export async function loadInTime<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError(new Error(`No answer in ${chunkTime / 1000} s`))), chunkTime);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (thrown) {
    if (thrown instanceof ChunkError || isChunkFailure(thrown)) {
      console.error('Chunk load error', thrown);
      throw thrown instanceof ChunkError ? thrown : new ChunkError(thrown);
    }
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}

/** True for the browser's own words about an import or a style sheet that failed. */
export function isChunkFailure(thrown: unknown): boolean {
  return (
    thrown instanceof ChunkError ||
    (thrown instanceof Error &&
      /dynamically imported module|module script failed|Importing a module|Unable to preload CSS/i.test(thrown.message))
  );
}
