import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright';
import { CHROMIUM_ARGUMENTS } from '../chromium_arguments.ts';
import { type TestContext, afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';

/** Widths at which every screen must work: a desk and a phone. */
export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** One Chromium for all files of a run; it ends with the process. */
let running: Promise<Browser> | undefined;
let browser: Browser;
/** Opened by the test that runs; those of a whole file are opened before it. */
let ofTest: BrowserContext[] = [];

/** Opens Chromium for a test file; the profiles that a test opened end with the test. */
export function openBrowser(): void {
  beforeAll(async () => {
    running ??= chromium.launch({
      executablePath: process.env.CHROMIUM_BARE_PATH ?? process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        ...CHROMIUM_ARGUMENTS,
        // Pages live for seconds: optimised code would come too late to be worth compiling.
        '--js-flags=--no-opt --no-maglev',
      ],
    });
    browser = await running;
  });
  beforeEach(() => {
    ofTest = [];
  });
  afterEach(async ({ task }) => {
    await describePages(
      task,
      ofTest.flatMap((context) => context.pages()),
    );
    await Promise.all(ofTest.map((context) => context.close()));
  });
  // What a whole file has opened.
  afterAll(() => Promise.all(browser.contexts().map((context) => context.close())));
}

/** Adds to the errors of a failed test where its pages were, and what a person read there. */
export async function describePages(task: TestContext['task'], pages: readonly Page[]): Promise<void> {
  const errors = task.result?.state === 'fail' ? (task.result.errors ?? []) : [];
  if (errors.length === 0) return;
  const shown = await Promise.all(
    pages.map(async (page) => {
      const text = await page
        .locator('body')
        .innerText({ timeout: 5_000 })
        .catch((error: unknown) => `(${String(error).slice(0, 100)})`);
      return `At ${page.url()}: ${text.replace(/\s+/g, ' ').slice(0, 1_000)}`;
    }),
  );
  for (const error of errors) {
    error.message = [error.message, ...shown].join('\n');
    error.stack = [...shown, error.stack ?? ''].join('\n');
  }
}

/** The product's address on a tenant's host. */
export function address(path = '/', tenant = 'demo'): string {
  return `http://${tenant}.localhost:${inject('port')}${path}`;
}

export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Errors the page wrote to its console, and requests that failed on the server. */
  complaints: string[];
}

/** A fresh browser profile at `viewport` size, its console watched. */
export async function visit(
  viewport = DESK,
  options: { colorScheme?: 'light' | 'dark'; touch?: boolean } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport,
    colorScheme: options.colorScheme ?? 'light',
    hasTouch: options.touch ?? viewport.width < 600,
    reducedMotion: 'reduce',
    // Each profile would fetch the whole program; the one test that is about it has a profile of its own.
    serviceWorkers: 'block',
  });
  // As patient as polling is: the machine of the tests does other things too.
  context.setDefaultTimeout(60_000);
  ofTest.push(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Answers of 400 and more are noted below, with what they say.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('response', (response) => {
    if (response.status() >= 400)
      void response.text().then(
        (text) =>
          complaints.push(
            `${response.status()} ${response.request().method()} ${response.url()} ${text.slice(0, 300)}`,
          ),
        () => undefined,
      );
  });
  return { page, context, complaints };
}

/** What browsers keep of people who have signed in: whoever comes again is signed in already. */
const signedIn = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>();

/** Comes to a page as somebody who is signed in, and waits for the frame of the application. */
export async function signIn(page: Page, user = 'admin', path = '/show_list', tenant = 'demo'): Promise<void> {
  const kept = signedIn.get(`${user}@${tenant}`);
  if (kept) {
    await page.context().addCookies(kept.cookies);
    // Any address of the host that is no page of the application.
    await page.goto(address('/healthz', tenant));
    await page.evaluate(
      (items) => items.forEach(({ name, value }) => localStorage.setItem(name, value)),
      kept.origins.flatMap(({ localStorage }) => localStorage),
    );
    await page.goto(address(path, tenant));
    await inside(page);
    return;
  }
  await enter(page, user, path, tenant);
  signedIn.set(`${user}@${tenant}`, await page.context().storageState());
}

/** Signs in at the page for that, as a person does who has not been here. */
export async function enter(page: Page, user: string, path: string, tenant = 'demo'): Promise<void> {
  await page.goto(address(`/login?next=${encodeURIComponent(path)}`, tenant));
  await page.getByLabel(/e-?mail or username/i).fill(user);
  await page.getByLabel(/^password/i).fill(inject('demoPassword'));
  await page.getByRole('button', { name: /^(log ?in|sign in)$/i }).click();
  // Somebody of several companies chooses one first.
  const proceed = page.getByRole('button', { name: 'Proceed' });
  await proceed.or(page.getByRole('navigation').first()).first().waitFor();
  if (await proceed.isVisible()) {
    await page.getByRole('radio').first().check();
    await proceed.click();
  }
  await page.waitForURL((url) => url.pathname !== '/login', { waitUntil: 'commit' });
  await inside(page);
}

/** Waits for the frame of the application. */
async function inside(page: Page): Promise<void> {
  await page
    .getByRole('navigation')
    .first()
    .waitFor()
    .catch(async (error: unknown) => {
      // Where it ended instead, and what a person would read there.
      const hiddenBy = await page.evaluate(
        () =>
          document.querySelector('nav')?.closest('[aria-hidden="true"], [inert]')?.outerHTML.slice(0, 200) ?? 'nothing',
      );
      throw new Error(
        `No navigation at ${page.url()}, hidden by ${hiddenBy}: ${(await page.locator('body').innerText()).slice(0, 400)}`,
        { cause: error },
      );
    });
}

/** Keeps a picture for a person to look at, who asks for pictures with E2E_PICTURES=1. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.E2E_PICTURES) return;
  const folder = join(import.meta.dirname, 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
