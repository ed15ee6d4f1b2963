import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';

/** What a cold route may load, in kB (1,000 bytes) of gzip -9. */
const budgets = {
  login: { limit: 150, pages: ['src/client/app/login/LoginPage.tsx'] },
  shell: { limit: 165, pages: ['src/client/app/layout/Layout.tsx'] },
  landing: {
    limit: 420,
    pages: [
      'src/client/app/layout/Layout.tsx',
      'src/client/app/screen_page.tsx',
      'src/client/runtime/landing/LandingPage.tsx',
    ],
  },
  form: {
    limit: 290,
    pages: [
      'src/client/app/layout/Layout.tsx',
      'src/client/app/screen_page.tsx',
      'src/client/runtime/form/FormPage.tsx',
    ],
  },
};

interface Chunk {
  file: string;
  imports?: string[];
}

const root = resolve(import.meta.dirname, '../../..');
const dist = join(root, 'dist/client');
let manifest: Record<string, Chunk> = {};

/** Every script that the pages need before they show: themselves and what they import statically. */
function scripts(keys: string[], found = new Set<string>()): Set<string> {
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`${key} is not in the build's manifest`);
    if (found.has(chunk.file)) continue;
    found.add(chunk.file);
    scripts(chunk.imports ?? [], found);
  }
  return found;
}

function kilobytes(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of files) bytes += gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  return bytes / 1000;
}

beforeAll(async () => {
  if (!existsSync(join(dist, '.vite/manifest.json'))) await build({ root, logLevel: 'error' });
  manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
}, 120_000);

describe('script a cold route loads', () => {
  for (const [route, { limit, pages }] of Object.entries(budgets)) {
    it(`${route}: at most ${limit} kB`, () => {
      const total = kilobytes(scripts(['index.html', ...pages]));
      console.info(`${route}: ${total.toFixed(1)} kB of ${limit}`);
      expect(total).toBeLessThanOrEqual(limit);
    });
  }
});
