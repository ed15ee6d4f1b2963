import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/implementer.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** A block of docs/implementer.md that its reader types, or sees. */
export interface Step {
  kind: string;
  file: string;
  body: string;
  line: number;
}

/** The blocks of the chapter with this heading, in order. */
export function stepsOf(heading: string): Step[] {
  const from = text.indexOf(`# ${heading}\n`);
  expect(from, heading).toBeGreaterThanOrEqual(0);
  const end = text.indexOf('\n# ', from + 1);
  const chapter = text.slice(from, end === -1 ? undefined : end);
  return [...chapter.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    kind: match[1]!,
    file: match[2]!,
    body: match[3]!,
    line: text.slice(0, from + match.index).split('\n').length,
  }));
}

/** What the terminal shows after a command of the page, typed in `home`. */
export function run(command: string, home: string): string {
  const [npm, verb, script = '', ...rest] = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
    (match) => match[1] ?? match[2]!,
  );
  expect([npm, verb]).toEqual(['npm', 'run']);
  const file = /^node scripts\/run\.mjs (\S+)$/.exec(scripts[script] ?? '')?.[1];
  expect(file, `npm run ${script}`).toBeDefined();
  // npm hands on what stands before and after the two dashes.
  const args = rest.filter((arg) => arg !== '--');
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', file!), ...args], {
    cwd: home,
    encoding: 'utf8',
    input: '',
    env: { ...process.env, SCHEMAS_DIR: join(home, 'schemas') },
  });
  return stdout + stderr;
}

/** Counts of descriptors and times change from day to day. */
export const steady = (output: string) =>
  output
    .replace(/^\d+ descriptors right/m, 'N descriptors right')
    .replace(/\d+ ms\./, 'N ms.')
    .trim();

/** Takes out the lines with a minus and writes those with a plus in their place. */
export function change(content: string, diff: string): string {
  const lines = (sign: string) =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  expect(content.split(lines('-')), 'the lines stand in the file once').toHaveLength(2);
  return content.replace(lines('-'), () => lines('+'));
}
