import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { DESK, openBrowser, picture, signIn, visit } from './browser.ts';

// A questionnaire is built, answered on a phone, left, taken up on another device and handed in; the rules of the engine
// are shown by tests/unit/domain and tests/api/engine.

openBrowser();

type Row = Record<string, unknown>;

/** A call of the open page's own session. */
const call = (page: Page, method: string, path: string, body?: Row): Promise<Row> =>
  page.evaluate(
    async ([how, where, what]) => {
      const answer = await fetch(where, {
        method: how,
        headers: {
          authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '""') as string}`,
          'content-type': 'application/json',
        },
        ...(what && { body: JSON.stringify(what) }),
      });
      return ((await answer.json()) as { data: Row }).data;
    },
    [method, path, body] as const,
  );

test('a questionnaire with a condition is built, answered on a phone, resumed on another device and submitted', async () => {
  const desk = await visit(DESK);
  await signIn(desk.page, 'admin', '/survey_new');
  const first = async (type: string) => ((await call(desk.page, 'GET', `/tapi/${type}`)) as unknown as Row[])[0]!.id;
  const survey = await call(desk.page, 'POST', '/tapi/survey', {
    title: 'After a repair',
    type_of_questionaire_id: await first('type_of_questionaire'),
    audience: 'customer',
    owner_id: await first('employee'),
    sections: [
      {
        code: 'all',
        title: 'The repair',
        questions: [{ code: 'nps', question_type: 'nps', text: 'Would you recommend us?', required: true }],
      },
    ],
  });
  await desk.page.goto(new URL(`/survey_question/${String(survey.id)}/customer`, desk.page.url()).href);
  await desk.page.getByRole('treeitem', { name: /Would you recommend us/ }).click();
  await desk.page.getByRole('button', { name: 'Add question' }).click();
  const editor = desk.page.getByRole('region', { name: 'Question' });
  await editor.getByLabel(/^Question/).fill('What went wrong?');
  await editor.getByLabel('Shown if').fill('nps <= 6');
  // The preview is answered as people will answer it.
  const preview = desk.page.getByRole('complementary', { name: 'Preview' });
  await expect.poll(() => preview.getByText('What went wrong?').count()).toBe(0);
  await preview.getByRole('radio', { name: '3', exact: true }).check({ force: true });
  await preview.getByText('What went wrong?').waitFor();
  await picture(desk.page, 'builder-1440');
  await desk.page.getByRole('button', { name: 'Save questions' }).click();
  await desk.page.getByText('Questions saved.').waitFor();
  await desk.page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect
    .poll(async () => (await call(desk.page, 'GET', `/tapi/survey/${String(survey.id)}`)).status)
    .toBe('published');

  const { id } = await call(desk.page, 'POST', '/tapi/survey_answer', { survey_id: survey.id, respondent: 'Ravi' });
  const kept = async () =>
    ((await call(desk.page, 'GET', `/tapi/survey_answer/${String(id)}/answers/answers`)).answers as Row[]).map(
      ({ code }) => String(code),
    );
  const phone = await visit({ width: 360, height: 740 }, { colorScheme: 'dark' });
  await signIn(phone.page, 'admin', `/survey_answer/edit/${String(id)}`);
  const questions = phone.page.getByRole('group', { name: 'Answers' });
  await questions.getByText('0 of 1 answered').waitFor();
  await questions.getByRole('radio', { name: '5', exact: true }).check({ force: true });
  await questions.getByText('1 of 2 answered').waitFor();
  await picture(phone.page, 'questionnaire-360-dark');
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await expect.poll(kept).toEqual(['nps']);
  await phone.context.close();

  const other = await visit({ width: 360, height: 740 });
  await signIn(other.page, 'admin', `/survey_answer/edit/${String(id)}`);
  const again = other.page.getByRole('group', { name: 'Answers' });
  await again.getByRole('heading', { name: 'What went wrong?' }).waitFor();
  await again.getByRole('textbox').fill('The door still sticks');
  await again.getByRole('button', { name: 'Review' }).click();
  await again.getByRole('heading', { name: 'All questions are answered' }).waitFor();
  await other.page.goto(new URL(`/survey_answer/view/${String(id)}`, other.page.url()).href);
  await other.page.getByRole('button', { name: 'Complete', exact: true }).click();
  await expect
    .poll(async () => (await call(desk.page, 'GET', `/tapi/survey_answer/${String(id)}`)).status)
    .toBe('complete');
  expect((await kept()).toSorted()).toEqual(['nps', 'q2']);
  expect([...desk.complaints, ...phone.complaints, ...other.complaints]).toEqual([]);
});
