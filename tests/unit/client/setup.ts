// A store on the device, as browsers have.
import 'fake-indexeddb/auto';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import { dialogs, toasts } from '../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../src/client/app/session.ts';

// A wait ends when what it waits for is there; on a busy machine pages are drawn in seconds.
configure({ asyncUtilTimeout: 20_000 });

/**
 * Files share a page, so that each need not load all of it. What a test has left to happen later (the sign-in's call
 * after three seconds, a toast's end) must not reach the next one.
 */
const kept = Symbol.for('timers of the test');
const page = globalThis as typeof globalThis & { [kept]?: Set<ReturnType<typeof setTimeout>> };
const waiting = (page[kept] ??= watched());

function watched(): Set<ReturnType<typeof setTimeout>> {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const { setTimeout: begin, clearTimeout: end } = globalThis;
  const watch = (run: (...args: unknown[]) => void, time?: number, ...args: unknown[]) => {
    const timer = begin(() => {
      timers.delete(timer);
      run(...args);
    }, time);
    timers.add(timer);
    return timer;
  };
  globalThis.setTimeout = watch as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    timers.delete(timer as ReturnType<typeof setTimeout>);
    end(timer);
  };
  return timers;
}

afterEach(() => {
  // A test that fails may have left the clock stopped.
  vi.useRealTimers();
  cleanup();
  for (const timer of waiting) clearTimeout(timer);
  vi.unstubAllGlobals();
  // A message whose end was a timer would stay for the tests of the next file.
  toasts.set([]);
  dialogs.set([]);
});

// Who was signed in in one file is nobody in the next.
afterAll(() => forgetSession());
