import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a client's files named `<sub-domain>-<time><ending>`, including incomplete ones. */
export async function removeStamped(folder: string, subDomain: string, ending: string, except?: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const whole = name.replace(/\.part$/, '');
    if (name === except || !whole.startsWith(`${subDomain}-`) || !whole.endsWith(ending)) continue;
    // Another client's sub-domain may have this one as a prefix.
    if (/^\d+$/.test(whole.slice(subDomain.length + 1, -ending.length))) await rm(join(folder, name), { force: true });
  }
}
