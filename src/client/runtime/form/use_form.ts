import { useCallback, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { currentSession, isPhone } from '../../app/session.ts';
import type { FieldHost } from '../fields/widget.ts';
import { commitDrafts } from '../fields/widget.ts';
import { useFills } from './use_fills.ts';
import { useRowSaving } from './rows_apart/use_row_saving.ts';
import { focusField } from './focus_field.ts';
import { fieldsInOrder, tabOf } from './FormLayout.tsx';
import type { OpenTab } from './layout_context.ts';
import type { FormStore } from './form_store.ts';
import { createFormStore } from './form_store.ts';
import type { KeptDraft } from './kept_draft.ts';
import { dropDraft, keepDraft, readDraft } from './kept_draft.ts';
import type { Merge } from './merge.ts';
import { formOfNew } from './new_form.ts';
import { formOfState } from './state_form.ts';
import type { SaveOutcome } from './save.ts';
import { findingsOfServer, saveRecord } from './save.ts';
import type { LoadedRecord } from './use_record.ts';
import type { Values } from './values.ts';

export interface OpenMerge extends Merge {
  theirs: WireRecord;
  by: string;
  at: string;
  /** The values of the form with the others' values in some fields. */
  taking: (names: ReadonlySet<string>) => Record<string, unknown>;
}

export interface FormController {
  store: FormStore;
  host: FieldHost;
  prefix: string;
  /** Changes when the fields must be rendered anew: after Discard, Restore and saving. */
  generation: number;
  dirty: boolean;
  saving: boolean;
  /** The open tab, and the steps of a wizard. */
  layout: OpenTab;
  /** Messages that concern no field of the form. */
  general: string | null;
  save: () => void;
  discard: () => void;
  kept: KeptDraft | null;
  restore: () => void;
  forget: () => void;
  /** The person leaves on purpose: the draft is deleted. */
  abandon: () => void;
  /** The findings of the last attempt to save, if there are several. */
  summary: readonly FieldError[];
  /** Opens the tab of a field and focuses it. */
  goTo: (path: string) => void;
  merging: OpenMerge | null;
  /** Resolves the merge: the fields in which the others' value is used; null = cancelled. */
  decide: (theirs: ReadonlySet<string> | null) => void;
}

interface FormOptions {
  screen: Screen;
  id?: string | undefined;
  loaded: LoadedRecord;
  single?: boolean | undefined;
  /** Submits the form in another way than as a record. Stable between renders. */
  submit?: ((values: Values, base: Values) => Promise<SaveOutcome>) | undefined;
  onSaved: (record: WireRecord) => void;
  /** A new record is stored on this device; absent if its id is needed at once. Stable between renders. */
  onKept?: (() => void) | undefined;
}

const keepPause = 600;

/** The tab with the questionnaire that the record answers; 0 = the first, as in any form. */
function tabOfQuestions(screen: Screen, values: Values): number {
  const answers = screen.fields.find(({ type, name }) => type === 'answers' && typeof values[name] === 'number');
  return answers ? Math.max(0, tabOf(screen, answers.name)) : 0;
}

/** Messages in the order of their fields in the form; those without a field come last. */
function inOrder(screen: Screen, messages: ReadonlyMap<string, string>): FieldError[] {
  const places = new Map(fieldsInOrder(screen).map(({ name }, at) => [name, at]));
  const placeOf = ({ field }: FieldError) => places.get(field.split('.')[0]!) ?? places.size;
  return [...messages].map(([field, message]) => ({ field, message })).sort((a, b) => placeOf(a) - placeOf(b));
}

/** Everything a form does except rendering: saving, merging, drafts, finding the first error. */
export function useForm({ screen: whole, id, loaded, single, submit, onSaved, onKept }: FormOptions): FormController {
  const [begun] = useState(loaded.start);
  const screen = useMemo(
    () => (id === undefined && !single && !submit ? formOfNew(whole, begun) : formOfState(whole, begun)),
    [whole, begun, id, single, submit],
  );
  const prefix = useId().replace(/[^a-z\d]/gi, '');
  const [store] = useState(() => createFormStore(screen, loaded.base, loaded.start));
  const [generation, setGeneration] = useState(0);
  const [saving, setSaving] = useState(false);
  // On a phone, a person with questions to answer starts with them.
  const [tab, showTab] = useState(() => (id !== undefined && isPhone() ? tabOfQuestions(screen, loaded.base) : 0));
  // A new record is entered step by step, if its form has steps.
  const steps = screen.form.steps && id === undefined && !single && !submit ? screen.form.tabs.length : 0;
  const [reached, setReached] = useState(0);
  const setTab = useCallback((to: number) => {
    showTab(to);
    setReached((old) => Math.max(old, to));
  }, []);
  const [general, setGeneral] = useState<string | null>(null);
  const [summary, setSummary] = useState<readonly FieldError[]>([]);
  const abandoned = useRef(false);
  const [merging, setMerging] = useState<OpenMerge | null>(null);
  const [kept, setKept] = useState(() => readDraft(screen, id));
  const dirty = useSyncExternalStore(store.subscribe, store.dirty);
  const running = useRef(false);
  const savedHandler = useRef(onSaved);
  savedHandler.current = onSaved;

  const host = useMemo<FieldHost>(
    () => ({
      screen,
      values: store.values,
      subscribe: store.subscribe,
      setValues: store.set,
      held: store.held,
      drafts: new Set(),
      awaited: new Set(),
      // Another tab may switch the company; this form is saved in the company in which it was opened.
      entityId: currentSession().entityId,
    }),
    [screen, store],
  );

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      if (!abandoned.current) keepDraft(screen, id, store.values(), store.base());
    };
    const leave = store.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(keep, keepPause);
    });
    const hide = () => {
      // First, because the last typed text may be the only change.
      commitDrafts(host);
      if (store.dirty()) keep();
    };
    addEventListener('pagehide', hide);
    return () => {
      leave();
      clearTimeout(timer);
      // A broken page removes the form.
      if (store.dirty()) keep();
      removeEventListener('pagehide', hide);
    };
  }, [screen, id, store, host]);

  // Saving without a network must not depend on what is loaded then.
  useEffect(() => {
    if (screen.offline) import('../offline/keep_write.ts').catch(() => undefined);
  }, [screen]);

  useFills(host, store, id);
  const pending = useRowSaving(host, store);

  const showFirst = useCallback(
    (paths: Iterable<string>) => {
      const found = new Set([...paths].map((path) => path.split('.')[0] ?? ''));
      const first = fieldsInOrder(screen).find((field) => found.has(field.name));
      const messages = inOrder(screen, store.messages());
      const elsewhere = messages.find(({ field }) => tabOf(screen, field.split('.')[0]!) < 0);
      setSummary(messages.length > 1 ? messages : []);
      setGeneral(elsewhere && messages.length === 1 ? elsewhere.message : null);
      if (!first) return;
      setTab(Math.max(0, tabOf(screen, first.name)));
      // After the tab has been rendered.
      requestAnimationFrame(() => requestAnimationFrame(() => focusField(prefix, first.name)));
    },
    [screen, store, prefix, setTab],
  );

  const refuse = useCallback(
    (errors: FieldError[]) => {
      store.refuse(errors);
      showFirst(errors.map(({ field }) => field));
    },
    [store, showFirst],
  );

  // Errors that only the server can find, such as a key already in use, are shown together with the missing values.
  const askRest = useCallback(async () => {
    if (single || submit) return;
    const asked = store.values();
    const found = await findingsOfServer(screen, asked, store.base(), host.entityId);
    if (abandoned.current || store.messages().size === 0) return;
    const shown = store.messages();
    const news = found.filter(({ field }) => {
      const name = field.split('.')[0]!;
      return !shown.has(field) && asked[name] === store.values()[name];
    });
    if (news.length === 0) return;
    store.refuse(news);
    setSummary(inOrder(screen, store.messages()));
  }, [screen, store, host, single, submit]);

  const goTo = useCallback(
    (path: string) => {
      const [name = ''] = path.split('.');
      setTab(Math.max(0, tabOf(screen, name)));
      requestAnimationFrame(() => requestAnimationFrame(() => focusField(prefix, name)));
    },
    [screen, prefix, setTab],
  );

  const send = useCallback(
    async (values: Values, base: Values) => {
      if (running.current) return;
      running.current = true;
      setSaving(true);
      try {
        const outcome = submit
          ? await submit(values, base)
          : await saveRecord(screen, values, base, {
              single: single === true,
              entityId: host.entityId,
              mayWait: onKept !== undefined,
            });
        if (outcome.kind === 'saved') {
          dropDraft(screen, id);
          setKept(null);
          store.reset(outcome.record);
          setGeneration((old) => old + 1);
          setGeneral(null);
          setSummary([]);
          savedHandler.current(outcome.record);
        } else if (outcome.kind === 'waits') {
          dropDraft(screen, id);
          setKept(null);
          store.reset(outcome.record);
          toast.info('Stored on this device. It is sent when the network is back.');
          if (id === undefined) onKept?.();
        } else if (outcome.kind === 'refused') {
          refuse(outcome.errors);
        } else if (outcome.kind === 'failed') {
          toast.error(outcome.message, outcome.details ? { details: outcome.details } : {});
        } else {
          const { theirs, by, at } = outcome;
          // Few forms ever need it.
          const { merge, withTheirs } = await import('./merge.ts');
          const merged = merge(screen, outcome.base ?? base, values, theirs);
          setMerging({ ...merged, theirs, by, at, taking: (names) => withTheirs(merged.values, theirs, names) });
        }
      } catch (thrown) {
        // For example, a part of the program that could not be loaded.
        toast.error('It could not be saved. Nothing is lost: save again.', { details: String(thrown) });
      } finally {
        running.current = false;
        setSaving(false);
      }
    },
    [screen, id, single, submit, store, host, refuse, onKept],
  );

  const settled = useCallback(
    (go: () => void) => {
      if (running.current) return;
      commitDrafts(host);
      for (const saving of host.saving?.values() ?? []) {
        const sent = saving.flush();
        host.awaited?.add(sent);
        void sent.finally(() => host.awaited?.delete(sent));
      }
      if (!host.awaited?.size) {
        go();
        return;
      }
      // Values are still being looked up, or the checks of a form just opened are still loading: continue after them,
      // and after what they start in turn, such as the fills of a value that arrived.
      running.current = true;
      setSaving(true);
      const arrived = async () => {
        while (host.awaited?.size) await Promise.allSettled(host.awaited);
        running.current = false;
        setSaving(false);
        go();
      };
      void arrived();
    },
    [host],
  );

  const goOn = useCallback(
    (to: number) =>
      settled(() => {
        const names = screen.form.tabs[tab]?.sections.flatMap(({ fields }) => fields) ?? [];
        const wrong = store.checkOnly(names);
        if (wrong.length > 0) showFirst(wrong);
        else setTab(to);
      }),
    [settled, screen, store, tab, showFirst, setTab],
  );

  const save = useCallback(() => {
    if (tab < steps) {
      goOn(tab + 1);
      return;
    }
    settled(() => {
      setGeneral(null);
      setSummary([]);
      if (!store.check()) {
        showFirst(store.messages().keys());
        void askRest();
        return;
      }
      void send(store.values(), store.base());
    });
  }, [tab, steps, goOn, settled, store, showFirst, askRest, send]);

  const decide = useCallback(
    (names: ReadonlySet<string> | null) => {
      const open = merging;
      setMerging(null);
      if (names === null || !open) return;
      const values = open.taking(names);
      store.reset(open.theirs, values);
      setGeneration((old) => old + 1);
      if (open.taken.length > 0)
        toast.info(`Also taken from ${open.by}: ${open.taken.map((field) => field.title).join(', ')}.`);
      if (!store.check()) showFirst(store.messages().keys());
      else if (store.dirty()) void send(store.values(), open.theirs);
      else {
        dropDraft(screen, id);
        savedHandler.current(open.theirs);
      }
    },
    [merging, store, showFirst, send, screen, id],
  );

  // No decision needed: the others changed other fields.
  useEffect(() => {
    if (merging && merging.conflicts.length === 0) decide(new Set());
  }, [merging, decide]);

  const discard = useCallback(() => {
    void confirmDialog({
      title: 'Discard your changes?',
      text: 'What you entered since the last save will be lost.',
      confirmLabel: 'Discard',
      cancelLabel: 'Keep',
      danger: true,
    }).then((sure) => {
      if (!sure) return;
      host.drafts.clear();
      store.reset(store.base());
      setGeneration((old) => old + 1);
      setGeneral(null);
      setSummary([]);
      dropDraft(screen, id);
    });
  }, [store, host, screen, id]);

  const restore = useCallback(() => {
    if (!kept) return;
    store.set(kept.values);
    setGeneration((old) => old + 1);
    setKept(null);
  }, [kept, store]);

  const forget = useCallback(() => {
    setKept(null);
    if (!store.dirty()) dropDraft(screen, id);
  }, [store, screen, id]);

  const abandon = useCallback(() => {
    abandoned.current = true;
    dropDraft(screen, id);
  }, [screen, id]);

  const layout = useMemo(() => ({ tab, setTab, steps, reached, goOn }), [tab, setTab, steps, reached, goOn]);
  return {
    store,
    host,
    prefix,
    generation,
    dirty: dirty || pending,
    saving,
    layout,
    general,
    save,
    discard,
    kept,
    restore,
    forget,
    abandon,
    summary,
    goTo,
    merging,
    decide,
  };
}
