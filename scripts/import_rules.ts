/**
 * Holds the one-way roads of the house: descriptor and domain import nothing else of ours,
 * server and client never each other, a module never another module, and nothing that the browser loads reaches the words of
 * descriptors, which compile and check them on the server. (The linter has no rule for
 * "files below this folder may import only from those", so it is spelled out here.)
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const specifier = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

/** Where a file of `from` may not reach, or null. */
export function forbidden(from: string, to: string): string | null {
  const top = (path: string) => path.split('/').slice(0, 2).join('/');
  const moduleOf = (path: string) => /^src\/(?:server|client)\/modules\/([^/]+)\//.exec(path)?.[1];
  const [a, b] = [top(from), top(to)];
  if (!to.startsWith('src/')) return to.startsWith('node_modules') ? 'packages are imported by name' : null;
  if ((a === 'src/descriptor' || a === 'src/domain') && b !== 'src/descriptor' && b !== 'src/domain')
    return `${a} may import only src/descriptor and src/domain`;
  if (a === 'src/server' && b === 'src/client') return 'the server never imports the client';
  if (a === 'src/client' && b === 'src/server') return 'the client never imports the server';
  const [m, n] = [moduleOf(from), moduleOf(to)];
  if (m !== undefined && n !== undefined && m !== n)
    return 'a module never imports another module: go through records, or an event';
  if (/\/(utils|helpers|common|misc)\.[jt]sx?$/.test(to)) return 'name the file after what it does';
  return null;
}

/** How code that `from` loads, at once or later, comes to a file; null if it never does. Types are not loaded. */
function trailTo(from: string, wanted: (file: string) => boolean): string[] | null {
  const trails = new Map([[from, [from]]]);
  for (const [file, trail] of trails) {
    if (wanted(file)) return trail;
    if (!/\.tsx?$/.test(file)) continue;
    const loaded = readFileSync(join(root, file), 'utf8').replace(/^(?:import|export) type [^;]*;$/gm, '');
    for (const match of loaded.matchAll(specifier)) {
      const target = normalize(join(dirname(file), match[1]!));
      if (!trails.has(target)) trails.set(target, [...trail, target]);
    }
  }
  return null;
}

if (import.meta.main) {
  let wrong = 0;
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
    const file = relative(root, join(entry.parentPath, entry.name));
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    lines.forEach((line, index) => {
      for (const match of line.matchAll(specifier)) {
        const target = normalize(join(dirname(file), match[1]!));
        const reason = forbidden(file, target);
        if (reason === null) continue;
        wrong++;
        console.error(`${file}:${index + 1}: imports ${target}: ${reason}`);
      }
    });
  }
  const trail = trailTo('src/client/main.tsx', (file) => file.startsWith('src/descriptor/words/'));
  if (trail) {
    wrong++;
    console.error(`The browser would load the words of descriptors: ${trail.join(' → ')}`);
  }
  console.log(wrong === 0 ? 'Import rules hold.' : `${wrong} wrong imports.`);
  process.exit(wrong === 0 ? 0 : 1);
}
