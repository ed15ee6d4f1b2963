import { vi } from 'vitest';

/** jsdom lays nothing out, so nothing changes its size. */
export function withoutSizes(): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {
        // Nothing changes.
      }
      unobserve() {
        // Nothing changes.
      }
      disconnect() {
        // Nothing changes.
      }
    },
  );
}
