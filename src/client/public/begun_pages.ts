/** The pages of started processes, by the start of their link's token, which gives no access. */
const keyOf = (token: string) => `begun.link.${token.slice(0, 8)}`;

/** Stores in this browser the page on which a process continues. */
export function noteBegun(token: string, path: string): void {
  try {
    localStorage.setItem(keyOf(token), path);
  } catch {
    // The browser does not store anything: the page's address is the way back.
  }
}

/** The page on which a process started in this browser continues; null = none was started. */
export function begunBy(token: string): string | null {
  try {
    const path = localStorage.getItem(keyOf(token));
    return path?.startsWith('/') ? path : null;
  } catch {
    return null;
  }
}
