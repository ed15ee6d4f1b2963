import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { address, openBrowser, picture, signIn, visit } from '../browser.ts';

openBrowser();

/** A picture of one point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SMALL = { width: 360, height: 740 };
type Row = Record<string, unknown> & { id: number; version: number };

const day = (offset: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(Date.now() + offset * 86_400_000);
const typed = (iso: string) => iso.split('-').reverse().join('-');

/** A call of the page itself, with the rights of whoever has signed in. */
async function call<Data = Row>(page: Page, method: string, path: string, body?: object): Promise<Data> {
  const answer = await page.evaluate(
    async ({ to, how, what }) => {
      const kept = (name: string) => JSON.parse(localStorage.getItem(name) ?? 'null') as string | null;
      const got = await fetch(to, {
        method: how,
        headers: {
          authorization: `Bearer ${kept('token') ?? ''}`,
          'x-entity-id': '1',
          ...(what && { 'content-type': 'application/json' }),
        },
        ...(what && { body: JSON.stringify(what) }),
      });
      return { status: got.status, body: (await got.json()) as { data: unknown } };
    },
    { to: path, how: method, what: body },
  );
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 400)}`).toBeLessThan(300);
  return answer.body.data as Data;
}
const list = (page: Page, type: string, filter: unknown) =>
  call<Row[]>(page, 'GET', `/tapi/${type}?columns=*&size=100&filter=${encodeURIComponent(JSON.stringify(filter))}`);

/** Takes an action of a record: a button of its page, or an entry behind them. */
async function act(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }));
  const more = page.getByRole('button', { name: 'More actions' });
  await button.or(more).first().waitFor();
  if (await button.first().isVisible()) await button.first().click();
  else {
    await more.click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
}

/** Answers what a step asks, and takes it. */
async function answer(page: Page, name: string, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void>) {
  await act(page, name);
  const dialog = page.getByRole('alertdialog');
  await dialog.waitFor();
  await fill(dialog);
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a month of a compliance officer: template, rule by branch, evidence, late work, filing, dashboards', async () => {
  const { page, complaints } = await visit();
  const open = async (path: string, heading: string | RegExp) => {
    await page.goto(address(path));
    await page.getByRole('heading', { name: heading, level: 1 }).first().waitFor();
  };
  const { page: doer, complaints: ofDoer } = await visit(SMALL);
  await signIn(doer, 'employee', '/myTasks');

  // 1. A template of the library, which is looked at every day; it becomes a checklist of two branches.
  await signIn(page, 'secretary', '/library');
  const code = `M${Date.now().toString(36).slice(-7).toUpperCase()}`;
  const title = `Opening of the branch ${code}`;
  const template = await call(page, 'POST', '/tapi/chk_template', {
    code,
    title,
    template_kind: 'process',
    category: 'safety',
    repeat: 'daily',
    tasks: [
      {
        code: 'T1',
        title: 'Look at the fire panel',
        criticality: 'high',
        weight: '3',
        holiday_rule: 'none',
        assign_hint: 'branch_head',
        approval: 'owner',
        evidence: [{ label: 'Photo of the panel', evidence_kind: 'photo', required: true }],
      },
      { code: 'T2', title: 'Open the gate', criticality: 'low', weight: '1', holiday_rule: 'none' },
    ],
  });
  await call(page, 'POST', `/tapi/chk_template/${template.id}/publish`, { version: template.version });
  await open(`/library?q=${code}`, 'Template library');
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('heading', { name: new RegExp(code), level: 1 }).waitFor();
  await act(page, 'Adopt');
  await page.getByRole('heading', { name: 'Add adoption', level: 1 }).waitFor();
  await page.getByText('Look at the fire panel').first().waitFor();
  const next = async (step: number) => {
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText(`Step ${step} of 4`).waitFor();
  };
  await next(2);
  await page.getByLabel('One for each').selectOption({ label: 'Branch' });
  for (const branch of ['Chennai', 'Bengaluru']) {
    await page.getByRole('combobox', { name: /^Branches/ }).fill(branch);
    await page.getByRole('option', { name: branch }).first().click();
  }
  await page.keyboard.press('Escape');
  await next(3);
  await next(4);
  await page.getByRole('textbox', { name: /^Starts on/ }).fill(typed(day(-3)));
  await page.getByRole('switch', { name: 'Activate at once' }).click();
  await picture(page, 'month-adopt');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: 'Save adoption' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/add'), { waitUntil: 'commit' });
  const adoption = page.url();

  // 2. Staff of Chennai do it there, whoever is first; elsewhere the owner does.
  const { page: office } = await visit();
  await signIn(office, 'admin', '/master_checklist');
  const [staff] = await list(office, 'role', ['code', 'eq', 'STAFF']);
  const [chennai] = await list(office, 'branch', ['code', 'eq', 'CHN']);
  const [found] = await list(page, 'master_checklist', ['title', 'eq', title]);
  const ofChecklist = ['mstr_chk_id', 'eq', found!.id];
  expect(await list(page, 'chk_instance', ofChecklist)).toEqual([]);
  const own = await call(page, 'GET', `/tapi/master_checklist/${found!.id}`);
  await call(page, 'PUT', `/tapi/master_checklist/${own.id}`, {
    ...own,
    tasks: (own.tasks as Row[]).map((task) => ({
      ...task,
      assign: [
        { assign_by: 'owner' },
        { branch_id: chennai!.id, assign_by: 'role', role_id: staff!.id, mode: 'any_one' },
      ],
    })),
  });

  // 3. The template has a new version: what the company left alone follows, after somebody has looked at it.
  await call(page, 'POST', `/tapi/chk_template/${template.id}/new_version`, {
    version: (await call(page, 'GET', `/tapi/chk_template/${template.id}`)).version,
  });
  const [draft] = await list(page, 'chk_template', ['and', ['code', 'eq', code], ['state', 'eq', 'draft']]);
  const edited = await call(page, 'GET', `/tapi/chk_template/${draft!.id}`);
  const changed = await call(page, 'PUT', `/tapi/chk_template/${draft!.id}`, {
    ...edited,
    tasks: (edited.tasks as Row[]).map((task) =>
      task.code === 'T2' ? { ...task, title: 'Open the gate and the shutter' } : task,
    ),
  });
  await call(page, 'POST', `/tapi/chk_template/${draft!.id}/publish`, { version: changed.version });
  await page.goto(adoption);
  await act(page, 'Update from the template');
  await page.getByText('Open the gate and the shutter').waitFor();
  await page.getByRole('button', { name: 'Save template update' }).click();
  await answer(page, 'Apply', async () => {});
  await page.getByText('The checklist follows the new version').waitFor();
  const updated = (await call(page, 'GET', `/tapi/master_checklist/${own.id}`)).tasks as Row[];
  expect(updated.map((task) => task.title)).toContain('Open the gate and the shutter');
  expect((updated[0]!.assign as Row[]).length).toBe(2);

  // 4. It is activated: days on which it did not run yet are made up for.
  await page.goto(address(`/master_checklist/view/${own.id}`));
  await page.getByRole('heading', { name: new RegExp(code), level: 1 }).waitFor();
  await act(page, 'Activate');
  await page.getByText('The checklist is active as soon as it is approved').waitFor();
  const instances = await list(page, 'chk_instance', ofChecklist);
  expect(new Set(instances.map((one) => `${String(one.occurrence_key)} ${String(one.branch_id)}`)).size).toBe(
    instances.length,
  );
  expect(instances.filter((one) => String(one.occurrence_key) <= day(0))).toHaveLength(8);
  const late = (
    await list(page, 'chk_task_instance', ['and', ['origin_name', 'eq', title], ['due_on', 'eq', day(-2)]])
  ).find((one) => one.title === 'Look at the fire panel' && one.branch_id === chennai!.id)!;

  // 5. Nobody did it in time: the rule of Mail configuration tells the manager, once.
  await call(office, 'POST', '/tapi/esclation', {
    code,
    name: `A day late ${code}`,
    module: 'chk_task_instance',
    event: 'due',
    level: 1,
    days: 1,
    recipients: [
      { copy: 'to', kind: 'assignee' },
      { copy: 'cc', kind: 'owner' },
    ],
    channels: ['in_app'],
    subject: 'Late: {{title}}',
    body: '{{title}} was due on {{due_on}}.',
    working_hours_only: false,
  });
  await call(office, 'POST', '/tapi/jobs/escalation/run', {});
  const sent = () =>
    list(office, 'escalation_log', ['and', ['record_type', 'eq', 'chk_task_instance'], ['record_id', 'eq', late.id]]);
  await expect.poll(async () => (await sent()).length).toBeGreaterThan(0);

  // 6. On a phone of 360 px: the task is taken, shown to be done, and handed in late.
  await doer.goto(address(`/tasks_detail?id=${late.id}`));
  await act(doer, 'Start');
  await doer.getByText('The task is yours.').waitFor();
  expect(await doer.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await doer.goto(address(`/myTasks/edit/${late.id}`));
  await doer
    .getByRole('group', { name: 'Evidence' })
    .getByRole('button', { name: /Photo of the panel/ })
    .click();
  const given = doer.getByRole('dialog');
  await given
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'panel.png', mimeType: 'image/png', buffer: PNG });
  await given.getByText('panel.png').first().waitFor();
  await given.getByRole('button', { name: 'Done' }).click();
  await doer.getByRole('button', { name: 'Save task' }).click();
  await doer.waitForURL((url) => !url.pathname.includes('/edit/'), { waitUntil: 'commit' });
  await doer.goto(address(`/tasks_detail?id=${late.id}`));
  await doer
    .getByText(/Photo of the panel/)
    .first()
    .waitFor();
  await act(doer, 'Submit');
  await expect
    .poll(async () => (await call(doer, 'GET', `/tapi/chk_task_instance/${late.id}`)).state)
    .toBe('submitted');
  await picture(doer, 'month-task');
  await page.goto(address(`/tasks_detail?id=${late.id}`));
  await page.getByRole('heading', { name: 'Look at the fire panel', level: 1 }).waitFor();
  await act(page, 'Approve');
  await page.getByText('The task is complete.').waitFor();
  expect(await call(page, 'GET', `/tapi/chk_task_instance/${late.id}`)).toMatchObject({
    outcome: 'late',
    days_late: 2,
    score: '75.00',
  });

  // 7. Filings: what is overdue costs money until a notification moves its day, for this registration.
  const overdue = () => list(page, 'filing', ['overdue', 'eq', true]);
  const before = await overdue();
  const dear = before.find((one) => Number(one.exposure) > 0)!;
  expect(Number(dear.late_days)).toBeGreaterThan(0);
  await call(page, 'POST', `/tapi/filing/${dear.id}/extend`, {
    version: (await call(page, 'GET', `/tapi/filing/${dear.id}`)).version,
    extended_due_on: day(5),
    extension_ref: `Notification ${code}`,
  });
  expect(await call(page, 'GET', `/tapi/filing/${dear.id}`)).toMatchObject({ overdue: false, exposure: '0.00' });
  const after = await overdue();
  expect(after).toHaveLength(before.length - 1);

  // A late return is prepared with its documents, reviewed by somebody else, and filed: it costs what its form says.
  const late3b = after.find((one) => one.form_id__label === 'GSTR-3B' && one.status === 'in_preparation')!;
  await page.setViewportSize(SMALL);
  await page.goto(address(`/forms_transactions/edit/${late3b.id}`));
  // Uploads are slow: the dialog of a row may be closed meanwhile, and saving waits for the files.
  await page.route('**/tapi/files?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await route.continue();
  });
  for (const name of ['Sales register', 'Reconciliation with GSTR-2B']) {
    await page
      .getByRole('group', { name: 'Documents' })
      .getByRole('button', { name: new RegExp(name) })
      .click();
    const row = page.getByRole('dialog');
    await row
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: `${name}.png`, mimeType: 'image/png', buffer: PNG });
    await row.getByText(`${name}.png`).first().waitFor();
    await row.getByRole('button', { name: 'Done' }).click();
  }
  await page.getByRole('button', { name: 'Save filing' }).click();
  await page.waitForURL((url) => !url.pathname.includes('/edit/'), { waitUntil: 'commit' });
  await page.unroute('**/tapi/files?*');
  await page.goto(address(`/forms_transactions/view/${late3b.id}`));
  await page.getByRole('button', { name: 'Send for review', exact: true }).waitFor();
  await act(page, 'Send for review');
  await page.getByText('The filing is with the reviewer.').waitFor();
  await page.getByRole('button', { name: 'Ready', exact: true }).waitFor();
  await act(page, 'Ready');
  await page.getByText('The filing is ready to file.').waitFor();
  await answer(page, 'Mark filed', async (dialog) => {
    await dialog.getByRole('textbox', { name: /^Filed on/ }).fill(typed(day(0)));
    await dialog.getByRole('textbox', { name: /^Acknowledgement no/ }).fill(`AA${code}`);
    await dialog.getByRole('textbox', { name: /^Paid on/ }).fill(typed(day(0)));
    await dialog.getByRole('textbox', { name: /^Challan/ }).fill(`CPIN${code}`);
  });
  await expect.poll(async () => (await call(page, 'GET', `/tapi/filing/${late3b.id}`)).status).toBe('filed');
  expect(await call(page, 'GET', `/tapi/filing/${late3b.id}`)).toMatchObject({
    late_days: 12,
    late_fee: '600.00',
    interest: '1091.84',
    ack_no: `AA${code}`,
    overdue: false,
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await picture(page, 'month-filing');
  await page.setViewportSize({ width: 1440, height: 900 });
  const left = await overdue();
  expect(left).toHaveLength(after.length - 1);

  // 8. The dashboards and the report say so.
  await open('/dashboard_compliance', 'Compliance dashboard');
  const figure = (title: string) => page.locator('section, a, div').filter({ hasText: title }).last().locator('..');
  await expect.poll(() => figure('Overdue filings').innerText()).toContain(String(left.length));
  await picture(page, 'month-board');
  await open(
    `/showlist_all_report?q=${code}&filter=${encodeURIComponent(JSON.stringify(['outcome', 'eq', 'late']))}`,
    'Checklist report',
  );
  await page.getByText('Look at the fire panel').first().waitFor();
  await open('/Dashboard_checklist', 'Checklist dashboard');
  await page.getByText('Score this month').waitFor();
  expect([...complaints, ...ofDoer]).toEqual([]);
});
