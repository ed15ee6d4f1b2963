import type { ComponentType } from 'react';
import { createElement, lazy, useState } from 'react';

/** The time-out of a chunk. */
export const chunkTime = 120_000;

/** A part of the application that failed to load: the page offers a retry. */
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

/** True for the browsers' own messages about a failed import or style sheet. */
export function isChunkFailure(thrown: unknown): boolean {
  return (
    thrown instanceof ChunkError ||
    (thrown instanceof Error &&
      /dynamically imported module|module script failed|Importing a module|Unable to preload CSS/i.test(thrown.message))
  );
}

/** A page with its own script, which can be loaded before the page is opened. */
export interface LazyPage<P> {
  Kind: ComponentType<P>;
  preload: () => Promise<void>;
}

/**
 * The page of a dynamic import. If it is already loaded it renders at once: `lazy` alone would show the placeholder
 * first, and a Suspense boundary waits until 300 ms after that.
 */
export function lazyPage<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): LazyPage<P> {
  let loaded: ComponentType<P> | null = null;
  const fetched = async () => {
    const module = await loadInTime(load);
    loaded = module.default;
    return module;
  };
  const Later = lazy(fetched) as unknown as ComponentType<P>;
  return {
    // The mounted component stays, or its state would be lost.
    Kind: (props) => createElement(useState(() => loaded ?? Later)[0], props),
    preload: async () => {
      if (!loaded) await fetched();
    },
  };
}
