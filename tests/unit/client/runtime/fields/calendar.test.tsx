import '../patience.ts';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Calendar } from '../../../../../src/client/runtime/fields/calendar/Calendar.tsx';
import MomentPicker from '../../../../../src/client/runtime/fields/calendar/MomentPicker.tsx';
import {
  addDays,
  addMonths,
  dayInWords,
  weekday,
  weeksOf,
} from '../../../../../src/client/runtime/fields/calendar/days.ts';
import { localMoment } from '../../../../../src/client/runtime/fields/calendar/moments.ts';
import { financialYears } from '../../../../../src/client/runtime/fields/financial_year.tsx';

describe('days', () => {
  it('move over the ends of months and years', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2025-12-31', 1)).toBe('2026-01-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(addMonths('2025-01-31', 1)).toBe('2025-02-28');
    expect(addMonths('2024-02-29', 12)).toBe('2025-02-28');
    expect(addMonths('2025-01-15', -1)).toBe('2024-12-15');
  });

  it('know their week, which begins on Monday', () => {
    expect(weekday('2026-11-23')).toBe(0);
    expect(weekday('2026-11-22')).toBe(6);
    const weeks = weeksOf('2026-02');
    expect(weeks).toHaveLength(5);
    expect(weeks[0]?.[0]).toBe('2026-01-26');
    expect(weeks.every((week) => week.length === 7 && weekday(week[0]!) === 0)).toBe(true);
    expect(weeks.at(-1)).toContain('2026-02-28');
  });

  it('have a text', () => {
    expect(dayInWords('2026-11-21')).toBe('Saturday, 21 November 2026');
  });
});

describe('calendar', () => {
  it('moves by keys and selects by Enter', async () => {
    const pick = vi.fn();
    render(<Calendar value="2026-04-01" autoFocus onPick={pick} />);
    expect(screen.getByRole('button', { name: 'Wednesday, 1 April 2026' })).toHaveProperty('tabIndex', 0);
    await userEvent.keyboard('{ArrowDown}{ArrowRight}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Thursday, 9 April 2026');
    await userEvent.keyboard('{PageDown}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Saturday, 9 May 2026');
    await userEvent.keyboard('{Shift>}{PageUp}{/Shift}{Home}{Enter}');
    expect(pick).toHaveBeenCalledWith('2025-05-05');
  });

  it('does not offer days outside its limits', () => {
    render(<Calendar value="2026-04-10" min="2026-04-05" max="2026-04-20" onPick={() => undefined} />);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Saturday, 4 April 2026' }).disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sunday, 5 April 2026' }).disabled).toBe(false);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Tuesday, 21 April 2026' }).disabled).toBe(true);
  });
});

describe('date and time picker', () => {
  it('saves once date and time are set', async () => {
    const save = vi.fn();
    const clear = vi.fn();
    render(<MomentPicker value={null} onSave={save} onClear={clear} onClose={() => undefined} />);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(button.disabled).toBe(true);
    await userEvent.click(screen.getAllByRole('button', { name: / 15 / })[0]!);
    expect(button.disabled).toBe(true);
    await userEvent.type(screen.getByLabelText('Time'), '9:5');
    expect(button.disabled).toBe(false);
    await userEvent.click(button);
    const [moment] = save.mock.calls[0] as [string];
    const day = new Date();
    const month = `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}`;
    expect(moment).toBe(localMoment(`${month}-15`, '09:05'));
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(clear).toHaveBeenCalledOnce();
  });

  it('offers neither days nor times outside its limits, in 24 hours', async () => {
    const save = vi.fn();
    render(
      <MomentPicker
        value={null}
        min={localMoment('2026-04-10', '09:30')}
        max={localMoment('2026-04-12', '18:00')}
        onSave={save}
        onClear={() => undefined}
        onClose={() => undefined}
      />,
    );
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Thursday, 9 April 2026' }).disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Monday, 13 April 2026' }).disabled).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Friday, 10 April 2026' }));
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    await userEvent.type(screen.getByLabelText('Time'), '09:29');
    expect(screen.getByRole('alert').textContent).toBe('From 09:30 on this day.');
    expect(button.disabled).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Sunday, 12 April 2026' }));
    expect(button.disabled).toBe(false);
    await userEvent.clear(screen.getByLabelText('Time'));
    await userEvent.type(screen.getByLabelText('Time'), '18:01');
    expect(screen.getByRole('alert').textContent).toBe('Until 18:00 on this day.');
    await userEvent.clear(screen.getByLabelText('Time'));
    await userEvent.type(screen.getByLabelText('Time'), '17:45{Enter}');
    expect(save).toHaveBeenCalledWith(localMoment('2026-04-12', '17:45'));
  });

  it('includes seconds if the field does', async () => {
    const save = vi.fn();
    render(
      <MomentPicker
        value={localMoment('2026-04-10', '09:30:15')}
        seconds
        onSave={save}
        onClear={() => undefined}
        onClose={() => undefined}
      />,
    );
    const time = screen.getByLabelText<HTMLInputElement>('Time');
    expect(time.value).toBe('09:30:15');
    await userEvent.clear(time);
    await userEvent.type(time, '9:30:07 pm{Enter}');
    expect(save).toHaveBeenCalledWith(localMoment('2026-04-10', '21:30:07'));
  });

  it('refuses an impossible time', async () => {
    render(
      <MomentPicker
        value="2026-04-01T04:00:00.000Z"
        onSave={() => undefined}
        onClear={() => undefined}
        onClose={() => undefined}
      />,
    );
    await userEvent.clear(screen.getByLabelText('Time'));
    await userEvent.type(screen.getByLabelText('Time'), '25:00');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  });
});

describe('financial years', () => {
  it('range from ten before the current one to three after it', () => {
    expect(financialYears(2025, null)).toContain('2025-2026');
    expect(financialYears(2025, null)[3]).toBe('2025-2026');
    expect(financialYears(2026, null)[3]).toBe('2026-2027');
  });

  it('include a stored one outside that range', () => {
    expect(financialYears(2026, '1999-2000')[0]).toBe('1999-2000');
  });
});
