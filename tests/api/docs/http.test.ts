import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { World } from '../world.ts';
import { startWorld } from '../world.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/http.md'), 'utf8');

/** `/tapi/role/:id/copy` and `/tapi/role/<id>/copy` are one call; so are the same under /api and without a prefix. */
const plain = (path: string): string =>
  path
    .replace(/\?.*$/, '')
    .replace(/^\/(tapi|api)(?=\/)/, '')
    .replace(/<[^>]*>|\{[^}]*\}|:\w+/g, '*')
    .replace(/\/$/, '');

/**
 * The calls of a line's code: `GET, PUT /tapi/x/<id>`, and short for others of the same place `…/copy` (in place of
 * what follows the last id), `…_add` (at the end of the word) and `.pdf` (another ending).
 */
function callsOf(line: string): string[] {
  const found: string[] = [];
  let [methods, last]: [string[], string] = [[], ''];
  for (const [, code = ''] of line.matchAll(/`([^`]+)`/g))
    for (const part of code.split(/(?<=[^A-Z]),\s+(?=[A-Z]+ |…)/)) {
      const match = /^((?:GET|POST|PUT|DELETE|PATCH)(?:, ?(?:GET|POST|PUT|DELETE|PATCH))*)?\s*([/….][^\s`]*)/.exec(
        part.trim(),
      );
      if (!match) continue;
      const [, given, path = ''] = match;
      if (given) methods = given.split(/, ?/);
      if (path.startsWith('/')) last = path;
      else if (last === '') continue;
      const at = last.replace(/\?.*$/, '');
      const stem = at.lastIndexOf('>') >= 0 ? at.slice(0, at.lastIndexOf('>') + 1) : at.replace(/\/[^/]*$/, '');
      const whole = path.startsWith('…/')
        ? stem + path.slice(1)
        : path.startsWith('…')
          ? at + path.slice(1)
          : path.startsWith('.')
            ? at.replace(/\.\w+$/, '') + path
            : path;
      found.push(...methods.map((method) => `${method} ${plain(whole)}`));
    }
  return found;
}

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('every call of the server is documented in docs/http.md', () => {
  const documented = new Set(text.split('\n').flatMap(callsOf));
  // One route for all endings of a file.
  const ending = (call: string) =>
    call.endsWith('.*') && [...documented].some((one) => one.startsWith(call.slice(0, -1)));
  const missing = new Set(
    world.app.routes
      .filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')
      .map(({ method, url }) => `${method} ${plain(url)}`)
      .filter((call) => !documented.has(call) && !ending(call)),
  );
  expect([...missing].sort()).toEqual([]);
});

it('and every documented call exists', () => {
  const routes = world.app.routes.map(({ method, url }) => ({ method, parts: plain(url).split('/') }));
  const exists = (call: string) => {
    const [method = '', path = ''] = call.split(' ');
    const parts = path.split('/');
    return routes.some(
      (route) =>
        route.method === method &&
        route.parts.length === parts.length &&
        route.parts.every(
          (part, at) =>
            part === parts[at] || part === '*' || (part.endsWith('.*') && parts[at]!.startsWith(part.slice(0, -1))),
        ),
    );
  };
  expect(
    text
      .split('\n')
      .flatMap(callsOf)
      .filter((call) => !exists(call)),
  ).toEqual([]);
});
