/**
 * Holds the one-way roads of the house: descriptor and domain import nothing else of ours, server and client never each
 * other, the floors of the server only those below them, a module never another module, no files each other in a circle
 * (those of the browser may fetch each other later), files of `http` make no statements, and nothing that the browser
 * loads reaches the words of descriptors, which compile and check them on the server. (The linter has no rule for
 * "files below this folder may import only from those", so it is spelled out here.)
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const TYPES = /^(?:import|export) type [^;]*;$/gm;
const specifier = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;
/** What a file needs before it can begin; not what it fetches later, by which a form comes to open a form. */
const atOnce = /from\s*['"](\.[^'"]+)['"]/g;

/** The floors of the server, the lowest first. What a floor needs of a higher one is handed to it by `app.ts`. */
const FLOORS = ['db', 'services', 'access', 'engine', 'platform', 'modules', 'http'];

/** The floor that a file of the server stands on, as its height; -1 = it stands on none. `app.ts` and what stands beside it is the top. */
function floorOf(path: string): number {
  const name = /^src\/server\/([^/]+)(\/|$)/.exec(path);
  if (!name) return -1;
  if (name[2] === '' || name[1] === 'app') return FLOORS.length;
  return FLOORS.indexOf(name[1]!);
}

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
  if (a === 'src/server' && b === 'src/server') {
    const [low, high] = [floorOf(from), floorOf(to)];
    if (low === -1) return `a file of the server stands on one of its floors: ${FLOORS.toReversed().join(', ')}`;
    if (high > low)
      return `imports run down only (${FLOORS.toReversed().join(' > ')}): have it handed in, or move the type down`;
  }
  const [m, n] = [moduleOf(from), moduleOf(to)];
  if (m !== undefined && n !== undefined && m !== n)
    return 'a module never imports another module: go through records, or an event';
  if (/\/(utils|helpers|common|misc)\.[jt]sx?$/.test(to)) return 'name the file after what it does';
  return null;
}

/** Files that import each other in a circle, each circle sorted. */
export function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const place = new Map<string, { at: number; lowest: number; open: boolean }>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    const here = { at: place.size, lowest: place.size, open: true };
    place.set(file, here);
    path.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue;
      const known = place.get(next) ?? visit(next);
      if (known.open) here.lowest = Math.min(here.lowest, known.lowest);
    }
    if (here.lowest === here.at) {
      const circle = path.splice(path.indexOf(file));
      for (const one of circle) place.get(one)!.open = false;
      if (circle.length > 1) found.push(circle.sort());
    }
    return here;
  };
  for (const file of imports.keys()) if (!place.has(file)) visit(file);
  return found;
}

/** Statements that files of `http` may make themselves: none, for each belongs to the room that owns its table. */
const SQL_LEFT: ReadonlyMap<string, number> = new Map();

/** What is wrong with the statements that are made by files of `http`, by how many there are and how many may be. */
export function wrongStatements(there: ReadonlyMap<string, number>, left: ReadonlyMap<string, number>): string[] {
  return [...new Set([...there.keys(), ...left.keys()])].flatMap((file) => {
    const [now, max] = [there.get(file) ?? 0, left.get(file) ?? 0];
    if (now > max)
      return [
        `src/server/http/${file}.ts makes ${now} statements of its own: move them to the room that owns the table.`,
      ];
    return now < max ? [`${file} makes ${now} statements now: write that in SQL_LEFT of scripts/import_rules.ts.`] : [];
  });
}

/** How code that `from` loads, at once or later, comes to a file; null if it never does. Types are not loaded. */
function trailTo(from: string, wanted: (file: string) => boolean): string[] | null {
  const trails = new Map([[from, [from]]]);
  for (const [file, trail] of trails) {
    if (wanted(file)) return trail;
    if (!/\.tsx?$/.test(file)) continue;
    const loaded = readFileSync(join(root, file), 'utf8').replace(TYPES, '');
    for (const match of loaded.matchAll(specifier)) {
      const target = normalize(join(dirname(file), match[1]!));
      if (!trails.has(target)) trails.set(target, [...trail, target]);
    }
  }
  return null;
}

if (import.meta.main) {
  let wrong = 0;
  const imports = new Map<string, string[]>();
  const statements = new Map<string, number>();
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
    const file = relative(root, join(entry.parentPath, entry.name));
    const text = readFileSync(join(root, file), 'utf8');
    if (file.startsWith('src/server/') || file.startsWith('src/client/'))
      imports.set(
        file,
        [...text.matchAll(file.startsWith('src/client/') ? atOnce : specifier)].map((match) =>
          normalize(join(dirname(file), match[1]!)),
        ),
      );
    const thin = /^src\/server\/http\/(.+)\.ts$/.exec(file)?.[1];
    if (thin !== undefined) statements.set(thin, text.match(/\.query\s*[<(]/g)?.length ?? 0);
    const lines = text.split('\n');
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
  for (const problem of wrongStatements(statements, SQL_LEFT)) {
    wrong++;
    console.error(problem);
  }
  for (const circle of circles(imports)) {
    wrong++;
    console.error(
      `These files import each other in a circle, types too: ${circle.join(', ')}. Move what they share down.`,
    );
  }
  const trail = trailTo('src/client/main.tsx', (file) => file.startsWith('src/descriptor/words/'));
  if (trail) {
    wrong++;
    console.error(`The browser would load the words of descriptors: ${trail.join(' → ')}`);
  }
  console.log(wrong === 0 ? 'Import rules hold.' : `${wrong} wrong imports.`);
  process.exit(wrong === 0 ? 0 : 1);
}
