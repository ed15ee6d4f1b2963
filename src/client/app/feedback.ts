import type { ComponentType, ReactNode } from 'react';
import { createStore } from './store.ts';

/** The duration of a toast, and the maximum number shown. */
const toastTime = 5000;
const toastMaximum = 4;

export interface ToastAction {
  label: string;
  onClick: () => void;
}

export interface ToastOptions {
  action?: ToastAction;
  /** Details, shown on request. */
  details?: string;
}

export interface ToastItem extends ToastOptions {
  id: number;
  type: 'success' | 'error' | 'info' | 'warning';
  text: string;
  /** How often the same text occurred while it was shown. */
  count: number;
}

export const toasts = createStore<ToastItem[]>([]);

let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

function show(type: ToastItem['type'], text: string, options: ToastOptions = {}): void {
  const same = toasts.get().find((item) => item.text === text && item.type === type);
  if (same) {
    toasts.set((old) => old.map((item) => (item === same ? { ...item, ...options, count: item.count + 1 } : item)));
    resumeToast(same.id);
    return;
  }
  const item: ToastItem = { ...options, id: ++lastId, type, text, count: 1 };
  toasts.set((old) => {
    const kept = [item, ...old].slice(0, toastMaximum);
    for (const gone of old) if (!kept.includes(gone)) stopTimer(gone.id);
    return kept;
  });
  resumeToast(item.id);
}

function stopTimer(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

/** Takes a toast away. */
export function closeToast(id: number): void {
  stopTimer(id);
  toasts.set((old) => old.filter((item) => item.id !== id));
}

/** A toast stays while the pointer or the focus is on it. */
export function holdToast(id: number): void {
  stopTimer(id);
}

/** Starts a toast's time again. */
export function resumeToast(id: number): void {
  stopTimer(id);
  timers.set(
    id,
    setTimeout(() => closeToast(id), toastTime),
  );
}

/** Short messages at the top right: at most four, newest first, five seconds each. */
export const toast = {
  success: (text: string, options?: ToastOptions) => show('success', text, options),
  error: (text: string, options?: ToastOptions) => show('error', text, options),
  info: (text: string, options?: ToastOptions) => show('info', text, options),
  warning: (text: string, options?: ToastOptions) => show('warning', text, options),
};

export interface ConfirmOptions {
  title: string;
  text?: string;
  /** Default "Yes". */
  confirmLabel?: string;
  /** Default "Cancel". */
  cancelLabel?: string;
  /** Data will be lost: the button warns and the focus starts on Cancel. */
  danger?: boolean;
}

export interface AlertOptions {
  type: 'error' | 'warning' | 'success';
  text: string;
  /** Default by type. */
  title?: string;
  /** A value to be copied. */
  copy?: { label: string; value: string };
}

export interface AskOptions {
  title: string;
  /** The question above the text field. */
  label: string;
  confirmLabel: string;
}

interface Asked {
  id: number;
  resolve: (answer: boolean) => void;
  /** The element that had the focus. */
  opener: Element | null;
}

export type DialogRequest =
  | ({ kind: 'ask'; answer: (text: string) => void } & Asked & AskOptions)
  /** A dialog rendered by another part of the product. */
  | ({ kind: 'own'; draw: () => ReactNode } & Asked)
  | ({ kind: 'confirm' } & Asked & ConfirmOptions)
  | ({ kind: 'alert' } & Asked & AlertOptions);

/** Dialogs waiting for an answer; the first one is shown. */
export const dialogs = createStore<DialogRequest[]>([]);

/** True once a dialog was needed: the dialog host is then loaded and stays mounted. */
export const dialogsUsed = createStore(false);

/** Components that stay mounted once a dialog was shown. Loaded with the dialog, so that the first page is small. */
export const focusKeeper = createStore<ComponentType | null>(null);

/** Asks a question; false if the person cancels or presses Esc. */
export function confirmDialog(options: ConfirmOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const id = ++lastId;
    dialogsUsed.set(true);
    dialogs.set((old) => [...old, { kind: 'confirm', id, resolve, opener: document.activeElement, ...options }]);
  });
}

/** Shows a message that must be read; resolves when Ok is pressed. */
export function alertDialog(options: AlertOptions): Promise<boolean> {
  const shown = dialogs.get().some((open) => open.kind === 'alert' && open.text === options.text);
  if (shown) return Promise.resolve(true);
  return new Promise((resolve) => {
    const id = ++lastId;
    dialogsUsed.set(true);
    dialogs.set((old) => [...old, { kind: 'alert', id, resolve, opener: document.activeElement, ...options }]);
  });
}

/** Called by the dialog itself. */
export function answerDialog(id: number, answer: boolean): void {
  const request = dialogs.get().find((open) => open.id === id);
  dialogs.set((old) => old.filter((open) => open.id !== id));
  request?.resolve(answer);
}
