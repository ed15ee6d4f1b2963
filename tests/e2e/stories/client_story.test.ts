import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MailServer } from '../../api/messages/mail_server.ts';
import { startMailServer } from '../../api/messages/mail_server.ts';
import { removeData } from '../../server_data.ts';
import { DESK, openBrowser, picture, visit } from '../browser.ts';
import { pasteRows } from '../record_pages.ts';

// From an empty installation to a person of a new client at work, as people do it: in the browser, with mails that really arrive.

const root = join(import.meta.dirname, '../../..');
const PASSWORD = 'Monsoon kettle 2026';

let home: string;
let port: number;
let mail: MailServer;
let product: ChildProcess;
let printed = '';

openBrowser();
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'mainstay-story-'));
  mail = await startMailServer();
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  port = (probe.address() as AddressInfo).port;
  await new Promise((resolve) => probe.close(resolve));
  // The client is built already: the run's own product was started before.
  product = spawn(process.execPath, [join(root, 'src/server/main.ts')], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: join(home, 'data'),
      DEMO: '0',
      LOG_LEVEL: 'warn',
      SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=none`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((ready) => {
    for (const stream of [product.stdout, product.stderr])
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (/forgotpassword_admin#token=[\w-]{43}/.test(printed)) ready();
      });
    product.once('exit', () => ready());
  });
});
afterAll(async () => {
  const ended = new Promise<void>((resolve) =>
    product.exitCode === null ? product.once('exit', () => resolve()) : resolve(),
  );
  product.kill('SIGTERM');
  await ended;
  await mail.close();
  removeData(join(home, 'data'));
  rmSync(home, { recursive: true, force: true });
});

const at = (host: string, path: string) => `http://${host}.localhost:${port}${path}`;

/** Follows the link of an invitation and chooses a password, with which the person is in. */
async function choosePassword(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator('input[name="new-password"]').fill(PASSWORD);
  await page.locator('input[name="new-password-again"]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByRole('navigation').first().waitFor();
}

/** The link that somebody was sent, once the mail is there. */
async function linkTo(address: string): Promise<string> {
  const found = () => mail.mails.find((one) => one.to?.some((to) => to.address === address))?.text ?? '';
  await expect.poll(found, { timeout: 60_000, interval: 50 }).toMatch(/https?:\S+#token=\S+/);
  return /https?:\S+#token=[\w-]+/.exec(found())![0];
}

/** Saves a new record by one key, whether its pasted names are still looked up or not. */
async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.waitForURL((url) => !url.pathname.endsWith('/add'));
}

/** Takes an action of a record, from the menu behind its buttons. */
async function act(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name }).click();
}

const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name }).first();

test(
  'a platform administrator creates a client, its administrator invites people, and each sees only the granted pages',
  { timeout: 120_000 },
  async () => {
    // 1. The installation's first administrator.
    const link = /http:\S+forgotpassword_admin#token=[\w-]+/.exec(printed)?.[0];
    expect(link, printed).toBeTruthy();
    const { page: platform, complaints } = await visit(DESK);
    await choosePassword(platform, link!);

    // 2. A client with a product, a company and its first administrator.
    await platform.goto(at('admin', '/client/add'));
    await platform.getByRole('heading', { name: 'Add client', level: 1 }).waitFor();
    for (const [label, value] of [
      [/^Code/, 'NILA'],
      [/^Name/, 'Nila Lifts'],
      [/^Legal name/, 'Nila Lifts Pvt Ltd'],
      [/^Sub-domain/, 'nila'],
      [/^Contact(?!’|')/, 'Meena Iyer'],
      [/^Contact[’']s e-mail/, 'meena@nila.in'],
      [/^First administrator/, 'Asha Rao'],
      [/^Administrator[’']s e-mail/, 'asha@nila.in'],
      [/^Administrator[’']s user name/, 'asha'],
    ] as const)
      await field(platform, label).fill(value);
    await platform.getByRole('tab', { name: /Subscription/ }).click();
    await field(platform, /^Subscription from/).fill('01-04-2026');
    await field(platform, /^Subscription to/).fill('31-03-2030');
    await pasteRows(platform, /^Products/, 'TKT');
    await platform.getByRole('tab', { name: /Companies/ }).click();
    await pasteRows(
      platform,
      /^Companies/,
      'NLP\tNila Lifts\tNila Lifts Pvt Ltd\t\t\t1 Mount Road\tChennai\tTamil Nadu\t600002\t2026-2027',
    );
    await picture(platform, 'story-client');
    await save(platform);
    await platform.goto(at('admin', '/client'));
    await platform.getByRole('link', { name: 'NILA', exact: true }).click();
    await platform.getByRole('heading', { name: 'Nila Lifts', level: 1 }).waitFor();
    await act(platform, 'Provision');
    await platform
      .getByRole('dialog')
      .or(platform.getByRole('alertdialog'))
      .getByRole('button', { name: 'Provision' })
      .click();
    await platform.getByText('The client is ready.').waitFor({ timeout: 60_000 });
    expect(complaints).toEqual([]);

    // 3. Its administrator follows the mail.
    const { page: admin, complaints: ofAdmin } = await visit(DESK);
    await choosePassword(admin, await linkTo('asha@nila.in'));
    expect(new URL(admin.url()).hostname).toBe('nila.localhost');

    // 4. A role that may look at branches and nothing else.
    await admin.goto(at('nila', '/role/add'));
    await field(admin, /^Code/).fill('DESK');
    await field(admin, /^Role name/).fill('Front desk');
    await save(admin);
    await admin.goto(at('nila', '/role?q=DESK'));
    await admin.getByRole('link', { name: 'DESK', exact: true }).click();
    await act(admin, 'Screen rights');
    await admin.getByRole('heading', { name: 'Rights of Front desk' }).waitFor();
    await admin.getByRole('textbox', { name: 'Search screens' }).fill('SCN_BRANCH');
    await admin.getByRole('checkbox', { name: 'List: Branches', exact: true }).check();
    await admin.getByRole('checkbox', { name: 'View: Branches', exact: true }).check();
    await admin.getByRole('tab', { name: 'Modules' }).click();
    await admin.getByRole('switch', { name: 'Masters open' }).check();
    await admin.getByText('3 changes not saved').waitFor();
    await admin.getByRole('tab', { name: 'Fields' }).click();
    await admin.getByRole('combobox', { name: 'List', exact: true }).selectOption('branch');
    await admin.getByRole('combobox', { name: 'Attendance fence of Branches' }).selectOption('hidden');
    await admin.getByText('4 changes not saved').waitFor();
    await picture(admin, 'story-fields');
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.getByText(/Rights saved/).waitFor();
    await picture(admin, 'story-rights');

    // 5. A person with that role, who is invited by mail at once.
    await admin.goto(at('nila', '/users/add'));
    await field(admin, /^User ?name/i).fill('ravi');
    await field(admin, /^Name/).fill('Ravi Kumar');
    await field(admin, /^E-?mail/i).fill('ravi@nila.in');
    await admin.getByRole('tab', { name: /Access/ }).click();
    await pasteRows(admin, /^Companies and roles/, 'Nila Lifts\tFront desk');
    await save(admin);
    await admin.goto(at('nila', '/users?q=ravi'));
    await admin.getByRole('link', { name: 'ravi', exact: true }).click();
    await admin.getByRole('heading', { name: 'Ravi Kumar', level: 1 }).waitFor();
    await picture(admin, 'story-user');
    expect(ofAdmin).toEqual([]);

    // 6. That person, on a small phone.
    const { page: ravi, complaints: ofRavi } = await visit({ width: 360, height: 740 });
    await choosePassword(ravi, await linkTo('ravi@nila.in'));
    await ravi.goto(at('nila', '/branch'));
    await ravi.getByRole('heading', { name: 'Branches', level: 1 }).waitFor();
    await ravi.getByText('Head office').first().waitFor();
    expect(await ravi.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(
      await ravi
        .getByRole('button', { name: /^(Add|Import)/ })
        .or(ravi.getByRole('link', { name: /^Add/ }))
        .count(),
    ).toBe(0);
    await picture(ravi, 'story-phone');
    const given = await ravi.evaluate(async () => {
      const headers = { authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '""') as string}` };
      const { data } = (await (await fetch('/tapi/menu', { headers })).json()) as {
        data: { screens: { name: string; rights: Record<string, boolean> }[] };
      };
      return {
        screens: data.screens,
        statuses: await Promise.all(
          ['/tapi/branch', '/tapi/users', '/tapi/role', '/tapi/employee'].map(
            async (path) => (await fetch(path, { headers })).status,
          ),
        ),
        branches: ((await (await fetch('/tapi/branch?columns=*', { headers })).json()) as { data: { id: number }[] })
          .data,
      };
    });
    // The field that the role keeps from people is nowhere.
    expect(given.branches[0]).toHaveProperty('work_from');
    expect(given.branches[0]).not.toHaveProperty('fence_m');
    await ravi.goto(at('nila', `/branch/view/${given.branches[0]!.id}`));
    await ravi.getByRole('tab', { name: 'Working' }).click();
    await ravi.getByText('Opens at').first().waitFor();
    expect(await ravi.getByText('Attendance fence').count()).toBe(0);
    await picture(ravi, 'story-kept-field');
    expect(given.statuses).toEqual([200, 403, 403, 403]);
    expect(given.screens.find(({ name }) => name === 'branch')?.rights).toMatchObject({
      landing: true,
      view_screen: true,
      add_screen: false,
      edit_screen: false,
      write: false,
    });
    for (const name of ['users', 'role', 'employee', 'department'])
      expect(given.screens.map((one) => one.name)).not.toContain(name);
    expect(ofRavi.filter((text) => !text.startsWith('403'))).toEqual([]);
    await ravi.goto(at('nila', '/department'));
    await ravi.getByText('You do not have access to that page.').first().waitFor();
    await ravi.waitForURL((url) => ['/show_list', '/welcome_page'].includes(url.pathname));
  },
);
