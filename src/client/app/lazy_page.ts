import type { ComponentType } from 'react';
import { createElement, lazy, useState } from 'react';

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

/** A page with a script of its own, which can be fetched before the page is opened. */
export interface LazyPage<P> {
  Kind: ComponentType<P>;
  preload: () => Promise<void>;
}

/**
 * The page of a dynamic import. One that is there already is drawn at once: `lazy` alone would show the grey page first,
 * and what a Suspense boundary reveals waits until 300 ms after that.
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
    // What was mounted stays as it is, or its state would be lost.
    Kind: (props) => createElement(useState(() => loaded ?? Later)[0], props),
    preload: async () => {
      if (!loaded) await fetched();
    },
  };
}
