import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DESK, address, openBrowser, picture, signIn, visit } from '../browser.ts';
import type { Visitor } from '../browser.ts';
import { ask, listOf, step } from '../record_pages.ts';
import type { Row } from '../record_pages.ts';

// A year of a manager with two reports: targets, actuals, mid-year feedback, appraisal, letter, incentive. The rules of each step are
// shown by tests/api/performance.

openBrowser();
let people: Record<'admin' | 'manager' | 'member' | 'hr', Visitor>;
const ids: Record<string, number> = {};

const YEAR = '2023-2024';
const [FROM, TO] = ['2023-04-01', '2024-03-31'];
/** A target of 10 in each month. */
const TARGETS = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`t${String(at + 1).padStart(2, '0')}`, '10']),
);

const list = (type: string, filter: unknown) => listOf(people.admin.page, type, filter, '&size=100');
const add = (type: string, values: object, by: keyof typeof people = 'admin') =>
  ask(people[by].page, 'POST', `/tapi/${type}`, values);
const take = async (type: string, id: number, name: string, by: keyof typeof people = 'admin', more: object = {}) => {
  const { version } = await ask(people.admin.page, 'GET', `/tapi/${type}/${id}`);
  return ask(people[by].page, 'POST', `/tapi/${type}/${id}/${name}`, { version, ...more });
};

beforeAll(async () => {
  const come = async (user: string) => {
    const visitor = await visit(DESK);
    await signIn(visitor.page, user, '/show_list');
    return visitor;
  };
  const users = ['admin', 'manager', 'employee', 'hrmanager'];
  const [admin, manager, member, hr] = await Promise.all(users.map(come));
  people = { admin: admin!, manager: manager!, member: member!, hr: hr! };
  const employeeOf = async (user: string) => Number((await list('users', ['username', 'eq', user]))[0]!.employee_id);
  ids.manager = await employeeOf('manager');
  ids.member = await employeeOf('employee');
  ids.second = await employeeOf('technician');
  for (const one of [ids.member, ids.second]) {
    const { version } = await ask(people.admin.page, 'GET', `/tapi/employee/${one}`);
    await ask(people.admin.page, 'PUT', `/tapi/employee/${one}`, {
      version,
      reporting_to_id: ids.manager,
      // Incentives count the days since then.
      date_of_joining: '2020-04-01',
    });
  }
  const kpis = await list('kpi', ['code', 'in', ['SALES', 'COMPLAINTS']]);
  for (const { id, code } of kpis) ids[String(code)] = id;
  ids.template = (await list('appraisal_template', ['code', 'eq', 'STD']))[0]!.id;
  ids.period = (
    await add('appraisal_period', {
      code: 'PLAYED',
      name: 'Year that is played',
      financial_year: YEAR,
      kind: 'annual',
      starts_on: FROM,
      ends_on: TO,
    })
  ).id;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    for (const [name, { page }] of Object.entries(people)) await picture(page, `performance-failed-${name}`);
});
afterAll(() => {
  for (const [name, { complaints }] of Object.entries(people)) expect(complaints, name).toEqual([]);
});

test('the manager gives two members their targets; the member acknowledges them', async () => {
  for (const member of [ids.member, ids.second]) {
    const sheet = await add(
      'kpi_sheet',
      {
        employee_id: member,
        financial_year: YEAR,
        valid_from: FROM,
        valid_to: TO,
        lines: [
          { kpi_id: ids.SALES, weight: '60', year_target: '120', ...TARGETS },
          { kpi_id: ids.COMPLAINTS, weight: '40', year_target: '120', ...TARGETS },
        ],
      },
      'manager',
    );
    if (member === ids.member) ids.sheet = sheet.id;
    else ids.otherSheet = sheet.id;
  }
  const { page } = people.manager;
  await page.goto(address(`/employee_kpi/view/${ids.sheet}`));
  await step(page, 'Submit');
  await take('kpi_sheet', ids.otherSheet!, 'submit', 'manager');
  for (const sheet of [ids.sheet!, ids.otherSheet!]) await take('kpi_sheet', sheet, 'approve');
  const own = people.member.page;
  await own.goto(address(`/employee_kpi/view/${ids.sheet}`));
  await step(own, 'Acknowledge');
  await own.getByText('Acknowledged').first().waitFor();
  await picture(own, 'performance-sheet');
});

test('the member enters what was reached, the manager approves it, and the year is frozen', async () => {
  const [first, ...more] = (await listOf(
    people.admin.page,
    'kpi_actual',
    ['sheet_id', 'eq', ids.sheet],
    '&size=100&sort=month',
  )) as (Row & { kpi_id: number })[];
  const own = people.member.page;
  await own.goto(address(`/actual_updation?id=${first!.id}`));
  await own.getByRole('textbox', { name: /^Actual/ }).fill('9');
  await own.keyboard.press('Control+s');
  await own.getByText('90', { exact: false }).first().waitFor();
  await own.goto(address(`/actual_updation/view/${first!.id}`));
  await step(own, 'Submit');
  const boss = people.manager.page;
  await boss.goto(address(`/actual_updation/view/${first!.id}`));
  await step(boss, 'Approve');
  await Promise.all(
    more.map(async ({ id, version }) => {
      const at = `/tapi/kpi_actual/${id}`;
      const entered = await ask(own, 'PUT', at, { version, value: '10', remark: 'As planned.' });
      const handedIn = await ask(own, 'POST', `${at}/submit`, { version: entered.version });
      const approved = await ask(boss, 'POST', `${at}/approve`, { version: handedIn.version });
      await ask(people.admin.page, 'POST', `${at}/freeze`, { version: approved.version });
    }),
  );
  await take('kpi_actual', first!.id, 'freeze');
  await own.goto(address('/scorecard_new?month=2023-04'));
  await own.getByText('Frozen').first().waitFor();
  await picture(own, 'performance-scorecard');
});

test('at mid-year they talk: feedback is given and answered', async () => {
  const given = await add(
    'tbl_emp_kpi_feedback_dtls',
    {
      employee_id: ids.member,
      kpi_id: ids.SALES,
      month: '2023-09',
      feedback_kind: 'praise',
      text: 'A good half-year. Keep at it.',
    },
    'manager',
  );
  const own = people.member.page;
  await own.goto(address(`/tbl_emp_kpi_feedback_dtls/view/${given.id}`));
  await step(own, 'Answer', async (dialog) => {
    await dialog.getByRole('textbox').first().fill('Thank you, I shall.');
  });
});

test('the appraisal goes from the self-rating to the letter', async () => {
  const launch = await add('appraisal_launch', {
    title: 'Appraisal that is played',
    period_id: ids.period,
    template_id: ids.template,
    minimum_service_days: 0,
    joined_before: '1950-01-01',
    include_ids: [ids.member, ids.second],
    self_from: '2099-04-01',
    self_to: '2099-04-10',
    manager_from: '2099-04-11',
    manager_to: '2099-04-20',
    moderation_to: '2099-04-25',
    release_on: '2099-04-30',
  });
  const admin = people.admin.page;
  await admin.goto(address(`/appraisal_launch/view/${launch.id}`));
  await step(admin, 'Launch');
  await take('appraisal_launch', launch.id, 'start_self');
  const open = async () =>
    await list('appraisal', ['and', ['launch_id', 'eq', launch.id], ['status', 'eq', 'self_rating']]);
  await expect.poll(async () => (await open()).length).toBe(2);
  const appraisal = (await open()).find(({ employee_id: id }) => id === ids.member)!;
  ids.appraisal = appraisal.id;

  const own = people.member.page;
  await own.goto(address('/appraisal_landing'));
  await own.getByText('Self-rating').first().waitFor();
  const rated = (await ask(own, 'GET', `/tapi/appraisal/${ids.appraisal}`)) as Row & {
    competency_lines: Row[];
    answers: Row[];
  };
  await ask(own, 'PUT', `/tapi/appraisal/${ids.appraisal}`, {
    version: rated.version,
    self_summary: 'I reached most of my targets.',
    competency_lines: rated.competency_lines.map((row) => ({ ...row, self_level: 3 })),
    answers: rated.answers.map((row) => ({ ...row, self_answer: 'Two large orders.' })),
  });
  await own.goto(address(`/appraisal_landing/view/${ids.appraisal}`));
  await step(own, 'Submit');

  // The manager rates all reportees on one page.
  const boss = people.manager.page;
  await boss.goto(address('/reportees_rating_updates'));
  const { name } = await ask<Row & { name: string }>(admin, 'GET', `/tapi/employee/${ids.member}`);
  const levels = boss.getByRole('row').filter({ hasText: name }).getByRole('combobox');
  await levels.first().waitFor();
  for (let at = 0; at < 3; at++) {
    const saved = boss.waitForResponse((one) => one.request().method() === 'PUT');
    await levels.nth(at).selectOption('3');
    expect((await saved).status()).toBe(200);
    await expect.poll(() => levels.nth(at).inputValue()).toBe('3');
    await expect.poll(() => levels.nth(at).getAttribute('aria-busy')).not.toBe('true');
  }
  await picture(boss, 'performance-ratings');
  await boss.goto(address(`/appraisal_landing/view/${ids.appraisal}`));
  await step(boss, 'Submit');
  const status = async () => (await ask(admin, 'GET', `/tapi/appraisal/${ids.appraisal}`)).status;
  if ((await status()) === 'reviewed') await take('appraisal', ids.appraisal, 'agree');
  await admin.goto(address(`/appraisal_moderation?launch_id=${launch.id}`));
  await admin.getByText(name).first().waitFor();
  await picture(admin, 'performance-moderation');
  await take('appraisal', ids.appraisal, 'finalise');
  await take('appraisal', ids.appraisal, 'release');

  await own.goto(address('/my_scorecard'));
  await own.getByText('Year that is played').first().waitFor();
  await picture(own, 'performance-my-scorecard');
  await own.goto(address(`/appraisal_landing/view/${ids.appraisal}`));
  await own.getByText('Released').first().waitFor();
  const letter = await own.evaluate(async (id) => {
    const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
    const answer = await fetch(`/tapi/appraisal/${id}/print/letter.pdf`, {
      headers: { authorization: `Bearer ${token}`, 'x-entity-id': '1' },
    });
    return { status: answer.status, type: answer.headers.get('content-type') };
  }, ids.appraisal);
  expect(letter).toEqual({ status: 200, type: 'application/pdf' });
  await step(own, 'Acknowledge');
  await own.getByText('Acknowledged').first().waitFor();
});

test('the year is paid: one person calculates the incentive, another approves it', async () => {
  const scheme = await add('incentive', {
    code: 'PLAYED',
    name: 'Bonus of the played year',
    basis: 'sheet_score',
    payout_kind: 'percent_of_target_amount',
    slab_mode: 'whole',
    payroll_component: 'INC_PLAYED',
    valid_from: FROM,
    slabs: [
      { from: '0', to: '89.99', rate: '0' },
      { from: '90', rate: '80' },
    ],
  });
  const payout = await add('incentive_frequency', {
    name: 'Yearly, played',
    incentive_id: scheme.id,
    frequency: 'yearly',
    pay_month_lag: 1,
    first_period: '2023-04',
    valid_from: FROM,
  });
  for (const member of [ids.member, ids.second])
    await add('incentive_assignment', {
      employee_id: member,
      incentive_id: scheme.id,
      target_amount: '60000',
      valid_from: FROM,
    });
  const run = await add('incentive_run', { run_kind: 'scheme', frequency_id: payout.id, month: '2024-03' }, 'hr');
  const payroll = people.hr.page;
  await payroll.goto(address(`/incentives/view/${run.id}`));
  await step(payroll, 'Calculate');
  await payroll.getByText('48,000').first().waitFor();
  // The pay stands before the figures it follows from, so that it is seen without scrolling.
  const columns = () => payroll.getByRole('columnheader').allInnerTexts();
  const placeOf = async (title: string) => (await columns()).findIndex((column) => column.startsWith(title));
  await expect.poll(() => placeOf('To pay')).toBeGreaterThan(0);
  expect(await placeOf('By the slabs')).toBeGreaterThan(await placeOf('To pay'));
  await step(payroll, 'Submit for approval');
  await picture(payroll, 'performance-incentive');
  const admin = people.admin.page;
  await admin.goto(address(`/incentives/view/${run.id}`));
  await step(admin, 'Approve');
  const [paid] = await list('incentive_payout', ['and', ['run_id', 'eq', run.id], ['employee_id', 'eq', ids.member]]);
  expect(paid).toMatchObject({ employee_id: ids.member, amount: '48000.00' });
});
