import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askDialog } from '../../../../src/client/app/ask_dialog.ts';
import DialogHost from '../../../../src/client/app/dialogs/dialog_host.tsx';
import { alertDialog, confirmDialog, dialogs, holdToast, toast, toasts } from '../../../../src/client/app/feedback.ts';
import { Toaster } from '../../../../src/client/app/toaster.tsx';

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    toasts.set([]);
    vi.useRealTimers();
  });

  it('stay five seconds', () => {
    toast.success('Saved');
    vi.advanceTimersByTime(4999);
    expect(toasts.get()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(toasts.get()).toHaveLength(0);
  });

  it('show four at most, newest first', () => {
    for (const text of ['1', '2', '3', '4', '5']) toast.info(text);
    expect(toasts.get().map((item) => item.text)).toEqual(['5', '4', '3', '2']);
  });

  it('count the same text instead of repeating it', () => {
    toast.error('Server Error');
    toast.error('Server Error');
    render(<Toaster />);
    expect(screen.getAllByText('Server Error')).toHaveLength(1);
    expect(screen.getByLabelText('2 times')).toBeTruthy();
  });

  it('of errors with details stay while somebody reads them', () => {
    toast.error('Server Error', { details: 'Request r-1' });
    toast.error('Code LM01 already exists.');
    render(<Toaster />);
    const [plain, detailed] = ['Code LM01 already exists.', 'Server Error'].map((text) =>
      screen.getByText(text).closest('[data-type]')!,
    );
    for (const card of [plain!, detailed!]) {
      fireEvent.pointerEnter(card);
      fireEvent.pointerLeave(card);
    }
    act(() => void vi.advanceTimersByTime(6000));
    expect(toasts.get().map(({ text }) => text)).toEqual(['Server Error']);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(toasts.get()).toEqual([]);
  });

  it('stay while the pointer is over them', () => {
    toast.info('Read me');
    holdToast(toasts.get()[0]?.id ?? 0);
    vi.advanceTimersByTime(60_000);
    expect(toasts.get()).toHaveLength(1);
  });
});

function show() {
  return render(
    <FluentProvider theme={webLightTheme}>
      <DialogHost />
    </FluentProvider>,
  );
}

describe('dialogs', () => {
  afterEach(() => dialogs.set([]));

  it('a prompt requires text, and Cancel returns none', async () => {
    const answer = askDialog({ title: 'Let it go on', label: 'Why is this right?', confirmLabel: 'Go on' });
    show();
    const person = userEvent.setup();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Go on' }).disabled).toBe(true);
    await person.type(screen.getByLabelText(/Why is this right/), ' Season change ');
    await person.click(screen.getByRole('button', { name: 'Go on' }));
    expect(await answer).toBe('Season change');
    const none = askDialog({ title: 'Let it go on', label: 'Why?', confirmLabel: 'Go on' });
    await person.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(await none).toBeNull();
  });

  it('a delete asks Yes or Cancel, starts on Cancel, and Esc cancels', async () => {
    const answer = confirmDialog({ title: 'Delete Chennai?', danger: true });
    show();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Yes' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(await answer).toBe(false);
  });

  it('returns the focus to the element that opened it', async () => {
    const opener = document.body.appendChild(document.createElement('button'));
    opener.focus();
    const answer = confirmDialog({ title: 'Delete Chennai?', danger: true });
    show();
    await userEvent.keyboard('{Escape}');
    expect(await answer).toBe(false);
    await waitFor(() => expect(document.activeElement).toBe(opener));
    opener.remove();
  });

  it('answers true on Yes', async () => {
    const answer = confirmDialog({ title: 'Delete Chennai?', danger: true });
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await answer).toBe(true);
  });

  it('an alert has Ok', async () => {
    const answer = alertDialog({ type: 'error', text: 'Client is Deactivated' });
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Ok' }));
    expect(await answer).toBe(true);
    act(() => undefined);
    expect(screen.queryByText('Client is Deactivated')).toBeNull();
  });
});
