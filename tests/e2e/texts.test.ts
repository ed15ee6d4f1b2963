import type { Page, Request } from 'playwright';
import { expect, test } from 'vitest';
import type { MenuNode, ScreenRef } from '../../src/descriptor/types.ts';
import { openBrowser, signIn, visit } from './browser.ts';

// No page shows what only programs read: codes, moments as they are stored, empty values, JSON. The suite walks each third
// page without a record and each twelfth list; WALK=all walks every page and list, and of every type the page of its
// first record, Add and Edit.

openBrowser();

/** What no person should read, and what it is called in a failure. */
const WRONG: [string, RegExp][] = [
  ['a moment as it is stored', /\d{4}-\d\d-\d\dT\d\d/],
  ['a date as it is stored', /\b\d{4}-\d\d-\d\d\b/],
  ['a year with a comma', /^Year: |\byear (1,[89]\d\d|2,0[0-4]\d)(?![\d,.])/i],
  ['a name with underscores', /(?<![\w./@{-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w@}])/],
  ['a code', /(?<!\w)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+/],
  ['an empty value', /\b(null|undefined|NaN)\b|\[object |Invalid Date/],
  ['JSON', /[{[]"|\{\}|\[\]/],
  ['a type and a number', /\b(entity|users|employee|branch|role) \d+\b/],
];

/** Texts of `WRONG` that are right where they stand: the beginning of an address, the text, and why. */
const RIGHT: [string, RegExp, string][] = [
  ['/employee_field_setting', /^bus_route$|^uniform_size$|e.g. bus_route/, 'short names that people gave'],
  ['/detailed_kpi_config', /^data_owner$|e.g. data_owner/, 'short names that people gave'],
  ['/api_', /^mk_live_\w+$/, 'how a key begins, by which its holder knows it'],
  ['/api_delivery', /^\w+\.(created|updated)$|^\{/, 'event and body as they are sent to another program'],
  ['/configuration_landing', /UPLOAD_MAX_MB/, 'the setting of the server that the operator changes'],
  ['/ratio_set', /[-+*/]/, 'a formula that people write'],
  ['/print_design', /\w/, 'fields that a design places, which people write'],
  ['/policy_type_mstr', /"type": "object"/, 'a JSON schema, which is what the field holds'],
  ['/policy_definition', /^\{/, 'parameters of a policy, which are JSON'],
  ['/incentive', /INC_/, 'a code that people gave'],
  ['/sync_', /\w/, 'tables, columns and rows as the other system writes them'],
  ['/Trigger_Analytics', /\w/, 'codes and columns that people gave to collections'],
  ['/activity_log', /^(ORO|INV)_\w+\/\d+$/, 'the code of an import job and the number of a run'],
  ['/oro_to_postgres', /^ORO_/, 'codes that people gave to import jobs'],
  ['/alagar_dashboard_sync', /^INV_/, 'codes that people gave to import jobs'],
  [
    '/workflow_landing',
    /late_days >|requester_mail|mark_defective/,
    'conditions, and names of fields and transitions, that people write',
  ],
  ['/statutory_acts', /employees >= 20/, 'a condition that people write'],
  ['/kpi_additions', /^[A-Z]+(_[A-Z]+)+$/, 'codes that people gave to KPIs'],
  ['/kpi_impact', /[A-Z]+_[A-Z]+/, 'codes of KPIs, and formulas that people write'],
  ['/analytics_run', /^\w+\/\d+$/, 'the code of a collection and the number of a run'],
  ['/user_manual_chapter', /SCN_/, 'the screen that a chapter belongs to, which people write'],
  ['/reports/sync_runs', /_/, 'codes that people gave to import jobs'],
  ['/notifications', /^Row \d+ \(/, 'rows and columns of an import job as the other system names them'],
  ['/role', /^[A-Z_]+$/, 'codes that people gave to roles'],
  ['/modules', /^[A-Z_]+$/, 'the code of a module, by which rights name it'],
  [
    '/screen',
    /^(COMMON_)?[A-Z_]+$|^board_designation$|^\//,
    'the codes and addresses of a screen, which the list of screens is about',
  ],
  ['/editscreen', /^[A-Z_]+$|^board_designation$/, 'the codes of a screen, which the list of screens is about'],
];

const wrongOf = (path: string, texts: string[]): string[] => [
  ...new Set(
    texts.flatMap((text) => {
      if (RIGHT.some(([begin, words]) => path.startsWith(begin) && words.test(text))) return [];
      const found = WRONG.find(([, words]) => words.test(text));
      return found ? [`${path}: ${found[0]}: ${text.slice(0, 120)}`] : [];
    }),
  ),
];

/** Opens a page within the application, waits until it is still, and reads every text that it shows or speaks. */
async function read(page: Page, path: string): Promise<string[]> {
  let loading = 0;
  let loaded = 0;
  const isScript = (request: Request) => request.resourceType() === 'script';
  const starts = (request: Request) => void (isScript(request) && loading++);
  const ends = (request: Request) => void (isScript(request) && loaded++);
  page.on('request', starts).on('requestfinished', ends).on('requestfailed', ends);
  try {
    let texts = await readOnce(page, path);
    // Parts of a page that are loaded when they are first needed: the page is read again when they are there.
    for (let seen = 0; loading > seen; texts = await readOnce(page, null)) {
      seen = loading;
      await expect.poll(() => loaded).toBeGreaterThanOrEqual(seen);
    }
    return texts;
  } finally {
    page.off('request', starts).off('requestfinished', ends).off('requestfailed', ends);
  }
}

/** @param path the page to open first; null: the one that is open */
async function readOnce(page: Page, path: string | null): Promise<string[]> {
  return page.evaluate(async (to) => {
    const main = () => document.querySelector('main') ?? document.body;
    // The page before stays until the next is there.
    const last = to === null ? undefined : main().querySelector('h1');
    if (to !== null) {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
    }
    const counted = globalThis as unknown as { calls: number };
    let before = '';
    for (let still = 0, turns = 0; still < 2; turns++) {
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
      const text = main().textContent ?? '';
      const title = main().querySelector('h1');
      const isWaiting =
        counted.calls > 0 || title === null || title === last || main().querySelector('[aria-busy=true]') !== null;
      still = !isWaiting && text === before ? still + 1 : 0;
      before = text;
      if (turns > 1500) throw new Error(`${to} does not come to rest: ${text.slice(0, 200)}`);
    }
    /** A number with a comma in a column or beside a label of years says so: other numbers may have one. */
    const textOf = (node: Node) => {
      const text = node.textContent ?? '';
      if (!/^\s*[12],\d\d\d\s*$/.test(text)) return text;
      const column = node.parentElement?.closest('[col-id]')?.getAttribute('col-id');
      const label = column ?? node.parentElement?.closest('dd')?.previousElementSibling?.textContent;
      return /year|^fy/i.test(label ?? '') ? `Year: ${text}` : text;
    };
    const texts: string[] = [];
    const walker = document.createTreeWalker(main(), NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (!(node instanceof HTMLElement)) texts.push(node.nodeType === Node.TEXT_NODE ? textOf(node) : '');
      else {
        for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.push(node.getAttribute(name) ?? '');
        // What a person types a day into shows it in the person's own form.
        if (node instanceof HTMLTextAreaElement || (node instanceof HTMLInputElement && node.type === 'text'))
          texts.push(node.value);
      }
    }
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }, path);
}

interface Served {
  tree: MenuNode[];
  screens: ScreenRef[];
  pages: string[];
}

/** What the server answers the person who is signed in. */
async function ask<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (url) => {
    const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { data: unknown }).data;
  }, path) as Promise<T>;
}

const everyPage = process.env.WALK === 'all';
/** All of about 900 pages take longer than any other test. */
const WALK_TIME = everyPage ? { timeout: 3_600_000 } : {};

test.for([
  ['demo', 'admin'],
  ['admin', 'platform'],
] as const)('no page of the host %s shows texts that only programs read', WALK_TIME, async ([tenant, user]) => {
  const { page, complaints } = await visit();
  // Calls that are under way: a page is there when none is left.
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { calls: number; plants?: string };
    const own = globalThis.fetch;
    counted.calls = 0;
    globalThis.fetch = async (...call) => {
      counted.calls++;
      try {
        const answer = await own(...call);
        const { url } = call[0] instanceof Request ? call[0] : { url: String(call[0]) };
        if (counted.plants === undefined || !url.includes(counted.plants)) return answer;
        return new Response((await answer.text()).replaceAll(/"name":"[^"]*"/g, '"name":"bad_password"'), answer);
      } finally {
        setTimeout(() => counted.calls--);
      }
    };
  });
  await signIn(page, user, '/show_list', tenant);
  const { screens, pages } = await ask<Served>(page, '/tapi/menu');
  const fixed = pages.filter((path) => !path.includes(':') && path !== '/' && !path.startsWith('/forgot'));
  expect(screens.length + fixed.length).toBeGreaterThan(tenant === 'demo' ? 250 : 30);

  const found: string[] = [];
  const walk = async (path: string) => found.push(...wrongOf(path, await read(page, path)));
  const some = <T>(all: T[], each: number) => (everyPage ? all : all.filter((_, at) => at % each === 0));
  for (const path of some(fixed, 3)) await walk(path);
  for (const { name, kind, routes, rights } of some(screens, 12)) {
    if (rights.landing && !routes.landing.includes(':')) await walk(routes.landing);
    if (!everyPage || kind === 'settings') continue;
    if (rights.add_screen && routes.add !== null && !routes.add.includes(':')) await walk(routes.add);
    const [first] = rights.landing
      ? ((await ask<{ id: number }[] | undefined>(page, `/tapi/${name}?size=1`)) ?? [])
      : [];
    if (!first) continue;
    for (const [right, route] of [
      ['view_screen', routes.view],
      ['edit_screen', routes.edit],
    ] as const)
      if (rights[right] && route?.includes(':id')) await walk(route.replace(':id', String(first.id)));
  }
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);

  // The walk sees what is planted: a code in a list that it has just found right.
  const planted = tenant === 'demo' ? 'branch' : 'product';
  await page.evaluate((type) => {
    (globalThis as unknown as { plants: string }).plants = `/tapi/${type}?`;
  }, planted);
  const list = screens.find(({ name }) => name === planted)!.routes.landing;
  const walkAgain = async () => {
    await walk('/show_list');
    await walk(`${list}?search=a`);
    return found.join('\n');
  };
  await expect.poll(walkAgain).toContain('a name with underscores: bad_password');
});
