import { fireEvent, screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderField, renderFields } from './render_field.tsx';
import { screenOf } from '../../../descriptor/fixtures/compile_sample.ts';

const control = () => page.findByLabelText<HTMLInputElement>(/^It/);

async function typeAndLeave(text: string): Promise<HTMLInputElement> {
  const input = await control();
  await userEvent.type(input, text);
  await userEvent.click(page.getByRole('button', { name: 'after' }));
  return input;
}

/** Pastes as a person does: into the control, then on. */
async function pasteAndLeave(text: string): Promise<HTMLInputElement> {
  const input = await control();
  await userEvent.click(input);
  await userEvent.paste(text);
  await userEvent.click(page.getByRole('button', { name: 'after' }));
  return input;
}

describe('text', () => {
  it('passes its value on after a pause, not at every key', async () => {
    const { store, value } = renderField({ $ref: 'types#text' });
    let told = 0;
    store.subscribe(() => told++);
    await userEvent.type(await control(), 'Anna Nagar');
    expect(value()).toBeNull();
    await waitFor(() => expect(value()).toBe('Anna Nagar'));
    expect(told).toBe(1);
  });

  it('passes it on at once on Enter and on leaving', async () => {
    const { value } = renderField({ $ref: 'types#text' });
    await userEvent.type(await control(), 'One{Enter}');
    expect(value()).toBe('One');
    await userEvent.type(await control(), ' two');
    await userEvent.tab();
    expect(value()).toBe('One two');
  });

  it('is empty again after erasing everything', async () => {
    const { value } = renderField({ $ref: 'types#text' }, 'old');
    await userEvent.clear(await control());
    await userEvent.tab();
    expect(value()).toBeNull();
  });

  it('shows an outside change, unless input is pending', async () => {
    const { store } = renderField({ $ref: 'types#text' }, 'old');
    const input = await control();
    store.set({ it: 'fetched' });
    await waitFor(() => expect(input.value).toBe('fetched'));
    await userEvent.type(input, '!');
    store.set({ it: 'other' });
    expect(input.value).toBe('fetched!');
  });
});

describe('numbers', () => {
  it('reads a pasted amount exactly, and shows Indian grouping when not focused', async () => {
    const { value } = renderField({ $ref: 'types#money' });
    const input = await pasteAndLeave('₹1,23,456.50');
    expect(value()).toBe('123456.50');
    expect(input.value).toBe('1,23,456.50');
    await userEvent.click(input);
    expect(input.value).toBe('123456.50');
  });

  it('keeps more digits than a float', async () => {
    const { value } = renderField({ $ref: 'types#money' });
    await pasteAndLeave('9007199254740993.55');
    expect(value()).toBe('9007199254740993.55');
  });

  it('accepts digits, a point and, if the field allows negative values, a minus; letters are ignored', async () => {
    const { value } = renderField({ $ref: 'types#decimal', minimum: 0 });
    const input = await typeAndLeave('a1b2.e5-');
    expect(String(value())).toMatch(/^12\.50*$/);
    await userEvent.clear(input);
    await userEvent.type(input, 'x-7y');
    expect(input.value).toBe('7');
  });

  it('accepts a minus if the field allows negative values', async () => {
    const { value } = renderField({ $ref: 'types#integer' });
    await typeAndLeave('-1x2');
    expect(value()).toBe(-12);
  });

  it('reads pasted amounts with currency words', async () => {
    const { value } = renderField({ $ref: 'types#money' });
    await pasteAndLeave('Rs. 1,23,456.50');
    expect(value()).toBe('123456.50');
  });

  it('accepts only letters, digits, dash and underscore for a code', async () => {
    const { value } = renderField({ $ref: 'types#code', maxLength: 20 });
    const input = await typeAndLeave('A b-1_c!é,"2');
    expect(input.value).toBe('Ab-1_c2');
    expect(value()).toBe('Ab-1_c2');
  });

  it('keeps all of a pasted code that is too long; the length rule reports it', async () => {
    const { value } = renderField({ $ref: 'types#code', maxLength: 10 });
    const input = await pasteAndLeave('DEPARTMENT-01');
    expect([input.value, value()]).toEqual(['DEPARTMENT-01', 'DEPARTMENT-01']);
  });

  it('leaves unreadable input in the control with a message', async () => {
    const { store, value } = renderField({ $ref: 'types#integer' });
    const input = await typeAndLeave('12..5');
    expect(input.value).toBe('12..5');
    expect(value()).toBeNull();
    expect(store.check()).toBe(false);
    await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'));
    await userEvent.clear(input);
    await userEvent.type(input, '12');
    await userEvent.tab();
    expect(value()).toBe(12);
    await waitFor(() => expect(input.getAttribute('aria-invalid')).toBeNull());
  });

  it('shows a percentage and a unit beside the figure', async () => {
    const { value } = renderField({ $ref: 'types#percent' });
    await typeAndLeave('12.5');
    expect(String(value())).toMatch(/^12\.50*$/);
    expect(page.getByText('%')).toBeTruthy();
  });
});

describe('dates and times', () => {
  it.each([
    ['5-4-2026', '2026-04-05'],
    ['05/04/2026', '2026-04-05'],
    ['05-04-2026', '2026-04-05'],
  ])('reads %s', async (text, day) => {
    const { value } = renderField({ $ref: 'types#date' });
    const input = await typeAndLeave(text);
    expect(value()).toBe(day);
    expect(input.value).toBe('05-04-2026');
  });

  it('refuses a date that does not exist', async () => {
    const { store, value } = renderField({ $ref: 'types#date' });
    const input = await typeAndLeave('31-02-2026');
    expect(value()).toBeNull();
    expect(input.value).toBe('31-02-2026');
    expect(store.check()).toBe(false);
  });

  it('selects a day from the calendar by keyboard', async () => {
    const { value } = renderField({ $ref: 'types#date' }, '2026-04-05');
    await userEvent.click(page.getByRole('button', { name: /calendar/i }));
    // jsdom has no popovers: it would never show this one.
    (await page.findByRole('dialog', { hidden: true })).closest('[popover]')?.removeAttribute('popover');
    const day = await page.findByRole('button', { name: /, 5 April 2026/ });
    expect(day.closest('td')?.getAttribute('aria-selected')).toBe('true');
    day.focus();
    await userEvent.keyboard('{ArrowRight}');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/, 6 April 2026/));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(value()).toBe('2026-04-06'));
  });

  it('reads times and months in common formats', async () => {
    const screen = screenOf(
      {},
      {
        at: { $ref: 'types#time', title: 'At' },
        in_month: { $ref: 'types#month', title: 'In month' },
        spent: { $ref: 'types#duration', title: 'Spent' },
      },
    );
    const store = renderFields(screen, ['at', 'in_month', 'spent']);
    await userEvent.type(await page.findByLabelText('At'), '9:05');
    await userEvent.type(await page.findByLabelText('In month'), 'Apr 2026');
    await userEvent.type(await page.findByLabelText('Spent'), '1:30');
    await userEvent.tab();
    expect(store.values()).toMatchObject({ at: '09:05', in_month: '2026-04', spent: 90 });
  });
});

describe('fixed codes', () => {
  it('converts to capitals while typing and counts missing characters', async () => {
    const { value } = renderField({ $ref: 'types#pan' });
    const input = await control();
    await userEvent.type(input, 'abcde-1234');
    expect(input.value).toBe('ABCDE1234');
    expect(page.getByText('9/10')).toBeTruthy();
    await userEvent.type(input, 'fxx');
    await userEvent.tab();
    expect(value()).toBe('ABCDE1234F');
  });

  it('accepts only digits for a pin code', async () => {
    const { value } = renderField({ $ref: 'types#pincode' });
    await typeAndLeave('600 04a0');
    expect(value()).toBe('600040');
  });
});

describe('choices', () => {
  it('offer what goes with the other values, and keep what is chosen', async () => {
    const screen = screenOf(
      {},
      {
        about: { title: 'About', enum: ['a', 'b'] },
        figure: {
          title: 'Figure',
          enum: ['one', 'two', 'three', 'four', 'five'],
          'x-offered': { "about == 'a'": ['one', 'two'], "about == 'b'": ['two', 'three'] },
        },
      },
    );
    const store = renderFields(screen, ['about', 'figure'], { about: 'a', figure: 'one' });
    const choices = () =>
      [...page.getByRole<HTMLSelectElement>('combobox', { name: /^Figure/ }).options].map(({ value }) => value);
    expect(choices()).toEqual(['', 'one', 'two', 'four', 'five']);
    store.set({ about: 'b' });
    await waitFor(() => expect(choices()).toEqual(['', 'one', 'two', 'three', 'four', 'five']));
    store.set({ figure: 'two' });
    await waitFor(() => expect(choices()).toEqual(['', 'two', 'three', 'four', 'five']));
  });

  it('shows three short ones side by side and more as a list', async () => {
    const screen = screenOf(
      {},
      {
        few: { title: 'Few', enum: ['low', 'high'] },
        many: { title: 'Many', enum: ['red', 'blue', 'green', 'white', 'black'] },
      },
    );
    const store = renderFields(screen, ['few', 'many']);
    expect(page.getAllByRole('radio').length).toBeGreaterThanOrEqual(2);
    await userEvent.click(page.getByRole('radio', { name: /high/i }));
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Many' }), 'green');
    expect(store.values()).toMatchObject({ few: 'high', many: 'green' });
  });

  it('switches a yes or no', async () => {
    const { value } = renderField({ $ref: 'types#boolean' });
    await userEvent.click(await page.findByRole('switch', { name: /It/ }));
    expect(value()).toBe(true);
  });

  it('collects tags', async () => {
    const { value } = renderField({ $ref: 'types#tags' });
    await userEvent.type(await control(), 'red{Enter}blue{Enter}');
    await waitFor(() => expect(value()).toEqual(['red', 'blue']));
    await userEvent.click(page.getByRole('button', { name: /red/ }));
    await waitFor(() => expect(value()).toEqual(['blue']));
  });
});

describe('a secret', () => {
  it('is never shown, can be replaced, and stays when it is not changed', async () => {
    const screen = screenOf({}, { pin: { $ref: 'types#text', title: 'Pin', 'x-secret': true } });
    const store = renderFields(screen, ['pin'], { pin: undefined, pin__set: true });
    expect(await page.findByText('Stored')).toBeTruthy();
    expect(page.queryByRole('textbox')).toBeNull();
    await userEvent.click(page.getByRole('button', { name: 'Replace Pin' }));
    const input = await waitFor(() => {
      const found = document.querySelector<HTMLInputElement>('input[type="password"]');
      expect(found).toBeTruthy();
      return found!;
    });
    await userEvent.type(input, 's3cret');
    await userEvent.tab();
    expect(store.values().pin).toBe('s3cret');
    await userEvent.click(page.getByRole('button', { name: /Keep the stored one/ }));
    expect(store.values().pin).toBeUndefined();
  });
});

describe('names for screen readers', () => {
  it('ties label, control and message together', async () => {
    const screen = screenOf({}, { mail: { $ref: 'types#email', title: 'Mail', description: 'Where bills go.' } });
    renderFields(screen, ['code', 'mail']);
    const mail = await page.findByLabelText('Mail');
    expect(document.getElementById(mail.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Where bills go.');
    expect((await page.findByLabelText(/^Code/)).getAttribute('aria-required')).toBe('true');
    fireEvent.blur(mail);
  });
});
