import { expect, test } from 'vitest';
import { DESK, PHONE, openBrowser, picture, signIn, visit } from './browser.ts';

// A record goes through its steps in the browser; the rules of the steps themselves are shown by tests/api.

openBrowser();

test.each([
  ['a desk', DESK, 'in_progress'],
  ['a phone', PHONE, 'submitted'],
])('an inspection is opened, shows its steps, and takes the next transition on %s', async (_, size, state) => {
  const { page, complaints } = await visit(size);
  const filter = encodeURIComponent(JSON.stringify(['status', 'eq', state]));
  await signIn(page, 'admin', `/tis_landing?filter=${filter}`);
  const id = await page.evaluate(async (query) => {
    const headers = { authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '""') as string}` };
    const list = (await (await fetch(`/tapi/tis_inspection?filter=${query}`, { headers })).json()) as {
      data: { id: number }[];
    };
    return list.data[0]!.id;
  }, filter);
  await page.goto(new URL(`/tis_inspection_view/${id}`, page.url()).href);
  const steps = page.getByRole('list', { name: 'Steps of the inspection' });
  await steps.waitFor();
  const now = steps.locator('[aria-current=step]');
  expect(await now.textContent()).toContain(state === 'submitted' ? 'Submitted' : 'In progress');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await picture(page, `steps-${state}-${size.width}`);
  if (state === 'submitted') {
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The inspection has been reviewed.').waitFor();
    await expect.poll(() => now.textContent()).toContain('Reviewed');
    await picture(page, `steps-approved-${size.width}`);
  } else {
    // What is not answered yet stands in the way, and nothing is lost.
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Submit' }).click();
    await picture(page, `steps-submit-${size.width}`);
    await expect.poll(() => now.textContent()).toMatch(/In progress|Submitted/);
  }
  expect(complaints.filter((text) => !text.startsWith('422'))).toEqual([]);
});

test('the questions of an inspection are answered one by one on a phone, saved at once, and reviewed at the end', async () => {
  const { page, complaints } = await visit({ width: 360, height: 740 });
  const filter = encodeURIComponent(JSON.stringify(['status', 'eq', 'in_progress']));
  await signIn(page, 'admin', `/tis_landing?filter=${filter}`);
  const read = (path: string) =>
    page.evaluate(async (of) => {
      const headers = { authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '""') as string}` };
      return ((await (await fetch(of, { headers })).json()) as { data: unknown }).data;
    }, path);
  const [{ id }] = (await read(`/tapi/tis_inspection?filter=${filter}`)) as [{ id: number }];
  const answers = async () =>
    ((await read(`/tapi/tis_inspection/${id}/answers/answers`)) as { answers: { code: string }[] }).answers.length;
  const before = await answers();
  await page.goto(new URL(`/tis_inspection/${id}`, page.url()).href);
  const questions = page.getByRole('group', { name: 'Questions' });
  const progress = questions.getByText(/^\d+ of \d+ answered$/);
  await progress.waitFor();
  const told = await progress.textContent();
  await picture(page, 'questions-photo-360');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('heading', { name: 'All questions' }).waitFor();
  await picture(page, 'questions-review-360');
  // A question without an answer that has chips.
  const open = questions.getByRole('listitem').filter({ hasText: 'Not answered' });
  const chip = questions.getByRole('radio').first();
  for (let at = 0; !(await chip.isVisible()); at++) {
    if (at > 0) await page.getByRole('button', { name: 'All', exact: true }).click();
    await open.nth(at).getByRole('button').click();
    await page.getByText(/^Question \d+ of \d+$/).waitFor();
  }
  const text = await questions.getByRole('heading').textContent();
  await chip.click();
  await questions.getByText('Remark, Likely cost, Then').click();
  await questions.getByRole('textbox', { name: 'Remark' }).fill('Looked at twice');
  await picture(page, 'questions-360');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  const small = await questions.evaluate((group) =>
    [...group.querySelectorAll('button, summary, label, input[type=text]')]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 40)
      .map((one) => one.outerHTML.slice(0, 120)),
  );
  expect(small).toEqual([]);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect.poll(() => questions.getByRole('heading').textContent()).not.toBe(text);
  await expect.poll(answers).toBe(before + 2);
  // Another device goes on where this one stopped.
  await page.reload();
  await progress.waitFor();
  expect(await progress.textContent()).not.toBe(told);
  expect(complaints).toEqual([]);
});

test('an approval is given on a phone: from the list of open requests, with its levels on the document', async () => {
  const { page, complaints } = await visit(PHONE);
  await signIn(page, 'manager', '/approval');
  await page.getByRole('tab', { name: 'Waiting for me', selected: true }).waitFor();
  await page.getByRole('link', { name: /Guest lift 2/ }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await picture(page, 'approval-request-390');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('You have approved it.').waitFor();
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor({ state: 'detached' });
  await page.goto(new URL('/tis_inspection_view/6', page.url()).href);
  const levels = page.getByRole('region', { name: /^Approval/ });
  await levels.getByText('Named in the process').waitFor();
  expect(await levels.innerText()).toContain('Approved');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await picture(page, 'approval-levels-390');
  expect(complaints).toEqual([]);
});
