/** Under the beginning of a link's token, which opens nothing, the page of what was begun by it. */
const keyOf = (token: string) => `begun.link.${token.slice(0, 8)}`;

/** Notes in this browser where something goes on that a link has begun. */
export function noteBegun(token: string, path: string): void {
  try {
    localStorage.setItem(keyOf(token), path);
  } catch {
    // A browser that keeps nothing: the address of the page is the way back.
  }
}

/** Where something goes on that was begun by a link in this browser; null = nothing was. */
export function begunBy(token: string): string | null {
  try {
    const path = localStorage.getItem(keyOf(token));
    return path?.startsWith('/') ? path : null;
  } catch {
    return null;
  }
}
