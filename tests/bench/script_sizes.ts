import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  file: string;
  imports?: string[];
}

/**
 * What a cold route may load, kB (1,000 bytes) of gzip -9, and the modules it is made of: those it imports
 * statically and those it fetches at once while it opens (the grid is its own part because phones do not load it).
 */
const ROUTE_BUDGETS = {
  // Every call can be answered by what the device keeps, so the way there is part of the first script.
  login: { budget: 152, pages: ['src/client/app/login/LoginPage.tsx'] },
  shell: { budget: 166, pages: ['src/client/app/layout/Layout.tsx'] },
  landing: {
    // What the application shares with the public page stands in chunks of its own. Groups, cells that are changed where
    // they stand and filters by a moving period belong to every list.
    budget: 443,
    pages: [
      'src/client/app/layout/Layout.tsx',
      'src/client/app/screen_page.tsx',
      'src/client/runtime/landing/LandingPage.tsx',
      'src/client/runtime/landing/RecordGrid.tsx',
    ],
  },
  form: {
    // Expressions over rows with conditions, rows computed by groups, defaults, fills, fields opened by a condition,
    // currencies, steps, periods, fields and rows of which a person sees or sends a part, changes and files that wait
    // for a network, and fields that the server fills when they reach it are part of every form; so are all findings of a save at once, keys included.
    // Conditions know the company, by which a list behind a figure is limited.
    budget: 318,
    pages: [
      'src/client/app/layout/Layout.tsx',
      'src/client/app/screen_page.tsx',
      'src/client/runtime/form/FormPage.tsx',
    ],
  },
} as const;

/** What the page loads that a link opens for somebody without an account; it has no file of the application. */
const PUBLIC_PAGES = [
  { route: 'public page', budget: 120, pages: ['public.html'] },
  {
    route: 'public questionnaire',
    budget: 120,
    pages: ['public.html', 'src/client/public/PublicQuestionnaire.tsx'],
  },
];

interface RouteBudget {
  route: string;
  budget: number;
  pages: readonly string[];
}

/** Every page with a budget, with its first file. */
export const BUDGETS: readonly RouteBudget[] = [
  ...Object.entries(ROUTE_BUDGETS).map(([route, { budget, pages }]) => ({
    route,
    budget,
    pages: ['index.html', ...pages],
  })),
  ...PUBLIC_PAGES,
];

/** Size of all script that each route needs, from the build's manifest. */
export function scriptSizes(dist: string): { route: string; kilobytes: number; budget: number }[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const collect = (keys: readonly string[], found: Set<string>): Set<string> => {
    for (const key of keys) {
      const chunk = manifest[key];
      // A module that shares a chunk with another has no entry of its own; its importer's chunk holds it.
      if (!chunk || found.has(chunk.file)) continue;
      found.add(chunk.file);
      collect(chunk.imports ?? [], found);
    }
    return found;
  };
  return BUDGETS.map(({ route, budget, pages }) => {
    for (const page of pages) if (!manifest[page]) throw new Error(`${page} is not in the build's manifest`);
    const files = collect(pages, new Set());
    let bytes = 0;
    for (const file of files) bytes += gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
    return { route, kilobytes: bytes / 1000, budget };
  });
}
