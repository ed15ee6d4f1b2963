import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/routes.ts'), ...args], { encoding: 'utf8', maxBuffer: 1 << 24 });

interface Answer {
  served: number;
  missing: number;
  of: number;
  routes: { path: string; servedBy: string | null }[];
}

describe('routes', { timeout: 60_000 }, () => {
  const answer = JSON.parse(run('--json').stdout) as Answer;

  it('counts every line of the list of specified addresses', () => {
    expect(answer.of).toBe(908);
    expect(answer.served + answer.missing).toBe(908);
    expect(readFileSync(join(root, 'docs/routes.tsv'), 'utf8').trim().split('\n')).toHaveLength(909);
  });

  it('prints a line for each missing route, and the total last', () => {
    const { status, stdout } = run();
    const lines = stdout.trim().split('\n');
    expect(status).toBe(0);
    expect(lines.at(-1)).toBe(`routes: ${answer.served} served, ${answer.missing} missing, of 908`);
    expect(lines.slice(0, -1)).toHaveLength(answer.missing);
    expect(lines.slice(0, -1).every((line) => line.startsWith('missing  /'))).toBe(true);
  });

  it('knows screens, older addresses and pages', () => {
    const by = new Map(answer.routes.map((route) => [route.path, route.servedBy]));
    expect(by.get('/branch')).toBe('organisation/branch.json landing');
    expect(by.get('/login')).toMatch(/^shell/);
    expect([...by.values()].some((what) => what?.includes('older address'))).toBe(true);
  });
});
