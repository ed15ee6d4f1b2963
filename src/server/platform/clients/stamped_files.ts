import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes the files of a client that are named `<sub-domain>-<time><ending>`, with those that were not written to the end. */
export async function removeStamped(folder: string, subDomain: string, ending: string, except?: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const whole = name.replace(/\.part$/, '');
    if (name === except || !whole.startsWith(`${subDomain}-`) || !whole.endsWith(ending)) continue;
    // Another client's sub-domain may begin with this one's.
    if (/^\d+$/.test(whole.slice(subDomain.length + 1, -ending.length))) await rm(join(folder, name), { force: true });
  }
}
