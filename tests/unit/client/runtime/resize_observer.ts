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

/** Every element is as high and wide as a screen: enough for lists that draw what is in sight alone. */
export function withSizes(): void {
  withoutSizes();
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200);
}
