import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import type { Parsed } from '../../../descriptor/fieldtypes/field_type.ts';
import { useFieldHost } from './widget.ts';

/** The delay after the last key before a value is passed to the form. */
const commitPause = 250;

export interface Draft {
  /** The text being typed; null while the control shows the value itself. Changes without a render. */
  held: () => string | null;
  /** Whether a committed value has not come back from the form yet. */
  isWaiting: () => boolean;
  /** A key was pressed. */
  type: (text: string) => void;
  /** Commits the typed text immediately. */
  commit: () => void;
  /** Commits it and shows the parsed value; invalid text stays. */
  settle: () => void;
}

interface DraftOptions {
  value: unknown;
  /** Parses the text; empty text is null. */
  parse: (text: string) => Parsed;
  onChange: (value: unknown) => void;
  onProblem?: (message: string | null, text?: string) => void;
  /** The initial text. */
  typed?: string | undefined;
}

/**
 * Keeps keystrokes inside the control: the form is updated after a pause, on blur or Enter. Not even the control
 * renders at a key: the element has the text, and this tracks it.
 */
export function useDraft(options: DraftOptions): Draft {
  const host = useFieldHost();
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const text = useRef<string | null>(options.typed ?? null);
  const waiting = useRef<string | null>(options.typed ?? null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const own = useRef(options.value);
  /** Committed values that have not come back yet, oldest first: a form may respond after the next was typed. */
  const handed = useRef<unknown[]>([]);
  const problem = useRef(false);
  const now = useRef(options);
  useLayoutEffect(() => {
    now.current = options;
  });

  const commit = useCallback(() => {
    clearTimeout(timer.current);
    const typed = waiting.current;
    if (typed === null) return;
    waiting.current = null;
    host?.drafts.delete(commit);
    const { value, parse, onChange, onProblem } = now.current;
    const parsed = parse(typed);
    if ('error' in parsed) {
      problem.current = true;
      onProblem?.(parsed.error, typed);
      return;
    }
    if (problem.current) onProblem?.(null);
    problem.current = false;
    own.current = parsed.value;
    if (handed.current.length === 0 && same(parsed.value, value)) return;
    handed.current.push(parsed.value);
    onChange(parsed.value);
  }, [host]);

  const settle = useCallback(() => {
    commit();
    if (problem.current || text.current === null) return;
    text.current = null;
    draw();
  }, [commit]);

  // An external value replaces the text shown, unless keys were typed after the last commit. A late echo of its own
  // value is not external.
  useLayoutEffect(() => {
    const back = handed.current.findIndex((one) => same(one, options.value));
    handed.current.splice(0, back < 0 ? Infinity : back + 1);
    if (handed.current.length > 0) return;
    if (same(options.value, own.current) || waiting.current !== null) return;
    own.current = options.value;
    if (problem.current) now.current.onProblem?.(null);
    problem.current = false;
    text.current = null;
  }, [options.value]);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      host?.drafts.delete(commit);
    },
    [commit, host],
  );

  const type = useCallback(
    (typed: string) => {
      waiting.current = typed;
      text.current = typed;
      host?.drafts.add(commit);
      clearTimeout(timer.current);
      timer.current = setTimeout(commit, commitPause);
    },
    [commit, host],
  );

  const held = useCallback(() => text.current, []);
  const isWaiting = useCallback(() => handed.current.length > 0, []);
  return { held, isWaiting, type, commit, settle };
}

/** Writes the text to an element if it differs, so that typing is not disturbed. */
export function useShownText(
  element: { current: HTMLInputElement | HTMLTextAreaElement | null },
  draft: Draft,
  shown: string,
): void {
  useLayoutEffect(() => {
    const text = draft.held() ?? shown;
    if (element.current && element.current.value !== text) element.current.value = text;
  });
}

/** Empty is empty, however it is spelt. */
function same(a: unknown, b: unknown): boolean {
  return (a ?? null) === (b ?? null) || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
