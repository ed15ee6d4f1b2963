import './patience.ts';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { Questionnaire } from '../../../../src/client/runtime/questionnaire/Questionnaire.tsx';
import { QUESTION_TYPES } from '../../../../src/domain/questionnaire/question.ts';
import type { Answers, Questionnaire as Content, QuestionType } from '../../../../src/domain/questionnaire/question.ts';
import { readQuestionnaire } from '../../../../src/domain/questionnaire/read_questionnaire.ts';

type Row = Record<string, unknown>;
const user = userEvent.setup();

const options = (...codes: string[]): Row[] => codes.map((code) => ({ code, label: `Choice ${code}` }));
const content = (questions: Row[], more: Row = {}): Content =>
  readQuestionnaire(
    { sections: [{ code: 's', title: 'Section', questions }], ...more },
    { sections: 'sections', questions: 'questions' },
    'none',
  );

/** Draws a questionnaire that keeps its answers, as the page of a record does. @returns the answers as they stand */
function draw(asked: Content, start: Answers = {}, more: Partial<Parameters<typeof Questionnaire>[0]> = {}) {
  const given = { current: start };
  function Page() {
    const [answers, setAnswers] = useState(start);
    given.current = answers;
    return (
      <>
        <span id="q-label">Questions</span>
        <Questionnaire
          id="q"
          content={asked}
          answers={answers}
          seed="x"
          onAnswer={(key, answer) => setAnswers((before) => ({ ...before, [key]: answer }))}
          Files={({ asked: { question }, id, onChange }) => (
            <button id={id} type="button" aria-labelledby={`${id}-text`} onClick={() => onChange([7])}>
              {question.type}
            </button>
          )}
          {...more}
        />
      </>
    );
  }
  render(<Page />);
  return () => Object.fromEntries(Object.entries(given.current).map(([key, { value }]) => [key, value]));
}

const press = (role: string, name: string | RegExp) => user.click(screen.getByRole(role, { name }));
const write = async (name: string, text: string) => {
  await user.type(screen.getByRole('textbox', { name }), text);
  await user.tab();
};
/** How each type is answered by a person, by the names that a screen reader says, and what the answer is. */
const HOW: Record<QuestionType, { more?: Row; act?: () => Promise<void>; answer?: unknown; shows?: () => unknown }> = {
  short_text: { act: () => write('Asked', 'Good'), answer: 'Good' },
  long_text: { act: () => write('Asked', 'Very good'), answer: 'Very good' },
  number: { act: () => write('Asked', '1,250.5'), answer: '1,250.5' },
  email: { act: () => write('Asked', 'a@b.example'), answer: 'a@b.example' },
  phone: { act: () => write('Asked', '+919840010001'), answer: '+919840010001' },
  date: { act: () => write('Asked', '31-03-2027'), answer: '31-03-2027' },
  time: { act: () => write('Asked', '09:30'), answer: '09:30' },
  yes_no: { act: () => press('radio', 'No'), answer: 'no' },
  single_choice: { more: { options: options('a', 'b') }, act: () => press('radio', 'Choice b'), answer: 'b' },
  image_choice: { more: { options: options('a', 'b') }, act: () => press('radio', 'Choice a'), answer: 'a' },
  dropdown: {
    more: { options: options('a', 'b') },
    act: () => user.selectOptions(screen.getByRole('combobox', { name: 'Asked' }), 'Choice b'),
    answer: 'b',
  },
  multiple_choice: {
    more: { options: [...options('a', 'b'), { code: 'none', label: 'None', exclusive: true }] },
    act: async () => {
      await press('checkbox', 'None');
      await press('checkbox', 'Choice b');
      await press('checkbox', 'Choice a');
    },
    answer: ['b', 'a'],
  },
  rating: { act: () => press('radio', '4'), answer: 4 },
  scale: { more: { min: '1', max: '7', max_label: 'Best' }, act: () => press('radio', '7, Best'), answer: 7 },
  csat: { act: () => press('radio', '5, Very satisfied'), answer: 5 },
  ces: { act: () => press('radio', '1, Very difficult'), answer: 1 },
  nps: { act: () => press('radio', '0, Not at all likely'), answer: 0 },
  slider: {
    act: async () => {
      screen.getByRole('slider', { name: 'Asked' }).focus();
      const { fireEvent } = await import('@testing-library/react');
      fireEvent.change(screen.getByRole('slider', { name: 'Asked' }), { target: { value: '30' } });
    },
    answer: 30,
  },
  ranking: {
    more: { options: options('a', 'b', 'c') },
    act: async () => {
      for (const name of ['Choice c', 'Choice a', 'Choice b']) await press('button', name);
      await press('button', 'Choice b up');
      await press('button', 'Choice a: take back');
    },
    answer: ['c', 'b'],
  },
  constant_sum: {
    more: { options: options('a', 'b'), total: 100 },
    act: () => write('Choice a', '60'),
    answer: { a: 60 },
    shows: () => expect(screen.getByText('40 left')).toBeTruthy(),
  },
  matrix_single: {
    more: { rows: options('r', 's'), columns: options('c', 'd') },
    act: () => press('radio', 'Choice s: Choice d'),
    answer: { s: 'd' },
  },
  matrix_multiple: {
    more: { rows: options('r'), columns: options('c', 'd') },
    act: async () => {
      await press('checkbox', 'Choice r: Choice d');
      await press('checkbox', 'Choice r: Choice c');
    },
    answer: { r: ['d', 'c'] },
  },
  matrix_rating: { more: { rows: options('r') }, act: () => press('radio', 'Choice r: 3'), answer: { r: 3 } },
  matrix_input: {
    more: { rows: options('r'), columns: [{ code: 'n', label: 'How many', input: 'number' }] },
    act: () => write('Choice r: How many', '12'),
    answer: { r: { n: '12' } },
  },
  multiple_input: { more: { rows: options('r') }, act: () => write('Choice r', 'Asha'), answer: { r: 'Asha' } },
  file: { act: () => press('button', 'Asked'), answer: [7] },
  signature: { act: () => press('button', 'Asked'), answer: [7] },
  geo: {
    act: async () => {
      await write('Latitude', '13.05');
      await write('Longitude', '80.25');
    },
    answer: { lat: 13.05, lng: 80.25 },
  },
  consent: { act: () => press('checkbox', /agree/), answer: 'yes' },
  statement: { shows: () => expect(screen.getByText('Asked')).toBeTruthy() },
  calculated: { more: { formula: '2 * 21' }, shows: () => expect(screen.getByText('42')).toBeTruthy() },
  hidden: { shows: () => expect(screen.queryByText('Asked')).toBeNull() },
};

describe('each type of question', () => {
  it.each(QUESTION_TYPES)('%s is answered and shown with its labels', async (question_type) => {
    const { more, act, answer, shows } = HOW[question_type];
    const asked = content([
      { code: 'q', question_type, text: 'Asked', ...more },
      { code: 'last', question_type: 'statement', text: 'End' },
    ]);
    const answers = draw(asked);
    await act?.();
    await expect.poll(() => answers().q).toEqual(answer);
    shows?.();
  });

  it.each(QUESTION_TYPES.filter((type) => HOW[type].act))('%s cannot be changed when it is read-only', (type) => {
    const asked = content([{ code: 'q', question_type: type, text: 'Asked', required: true, ...HOW[type].more }]);
    draw(asked, {}, { fixed: true, Files: undefined as never });
    const controls = document.querySelectorAll('input, select, textarea, button');
    for (const one of controls) expect(one.matches(':disabled')).toBe(true);
  });
});

describe('a questionnaire', () => {
  it('shows an error at its field, and keeps the input', async () => {
    const answers = draw(content([{ code: 'q', question_type: 'number', text: 'How many' }]));
    await write('How many', 'many');
    const box = screen.getByRole('textbox', { name: 'How many' });
    expect(screen.getByRole('alert').textContent).toBe('This is not a number.');
    expect(box.getAttribute('aria-invalid')).toBe('true');
    expect(box.getAttribute('aria-describedby')?.split(' ')).toContain(screen.getByRole('alert').id);
    expect(box).toHaveProperty('value', 'many');
    expect(answers().q).toBeUndefined();
  });

  it('counts missing answers, and links to them', async () => {
    draw(
      content([
        { code: 'a', question_type: 'yes_no', text: 'First', required: true },
        { code: 'b', question_type: 'yes_no', text: 'Second', required: true },
      ]),
    );
    await press('button', 'Show what is missing');
    expect(screen.getAllByText('Please answer this question.')).toHaveLength(2);
    await user.click(within(screen.getByRole('radiogroup', { name: /First/ })).getByRole('radio', { name: 'Yes' }));
    expect(screen.getByText('1 of 2 answered')).toBeTruthy();
    expect(screen.getByText('One question still needs an answer.', { exact: false })).toBeTruthy();
  });

  it('shows the questions that the answers require, with the answers in words', async () => {
    draw(
      content([
        { code: 'nps', question_type: 'nps', text: 'Recommend' },
        { code: 'why', question_type: 'long_text', text: 'You gave us {{q:nps|value}}. Why?', visible_if: 'nps <= 6' },
      ]),
    );
    expect(screen.queryByRole('textbox')).toBeNull();
    await press('radio', '3');
    expect(screen.getByRole('textbox', { name: 'You gave us 3. Why?' })).toBeTruthy();
    await press('radio', '9');
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('accepts "not applicable" instead of an answer', async () => {
    const onAnswer = vi.fn();
    const asked = content([{ code: 'q', question_type: 'number', text: 'Ropes', may_be_na: true }]);
    draw(asked, {}, { onAnswer });
    await press('checkbox', 'Ropes: not applicable');
    expect(onAnswer).toHaveBeenCalledWith('q', { value: null, na: true });
  });

  it('asks one question at a time on a phone, starts with the first open one, and lists all at the end', async () => {
    const asked = content([
      { code: 'a', question_type: 'yes_no', text: 'First' },
      { code: 'b', question_type: 'yes_no', text: 'Second' },
      { code: 'c', question_type: 'yes_no', text: 'Third' },
    ]);
    draw(asked, { a: { value: 'yes' } }, { phone: true });
    expect(screen.getByText('Question 2 of 3')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Second' })).toBeTruthy();
    await press('radio', 'No');
    await press('button', 'Next');
    await press('button', 'Review');
    expect(screen.getByRole('heading', { name: 'All questions' })).toBeTruthy();
    expect(screen.getAllByRole('listitem').map((one) => one.textContent?.replace(/[✓○]/, ''))).toEqual([
      'FirstYes',
      'SecondNo',
      'ThirdNot answered',
    ]);
    await press('button', 'Next open question');
    expect(screen.getByRole('heading', { name: 'Third' })).toBeTruthy();
    await press('button', 'Back');
    expect(screen.getByRole('heading', { name: 'Second' })).toBeTruthy();
  });

  it('asks for photo and remark with their question, and counts only the question', async () => {
    const plain = content([
      { code: 'lock', question_type: 'single_choice', text: 'Lock', options: options('good', 'bad') },
      { code: 'photo', question_type: 'file', text: 'Photo', required_if: "lock == 'bad'" },
      { code: 'remark', question_type: 'short_text', text: 'Remark' },
      { code: 'light', question_type: 'yes_no', text: 'Light' },
    ]);
    const [section] = plain.sections;
    const beside = { photo: 'open', remark: 'folded' } as const;
    const asked: Content = {
      ...plain,
      sections: [
        {
          ...section!,
          questions: section!.questions.map((one) =>
            one.code in beside ? { ...one, beside: beside[one.code as keyof typeof beside] } : one,
          ),
        },
      ],
    };
    const answers = draw(asked, {}, { phone: true });
    expect(screen.getByText('Question 1 of 2')).toBeTruthy();
    await press('radio', 'Choice bad');
    expect(screen.getByText('0 of 2 answered')).toBeTruthy();
    expect(screen.getByText('Please add a file.')).toBeTruthy();
    await press('button', /Photo/);
    await user.click(screen.getByText('Remark', { selector: 'summary' }));
    await write('Remark', 'Loose');
    await expect.poll(answers).toEqual({ lock: 'bad', photo: [7], remark: 'Loose' });
    expect(screen.getByText('1 of 2 answered')).toBeTruthy();
    await press('button', 'Next');
    expect(screen.getByRole('heading', { name: 'Light' })).toBeTruthy();
  });
});
