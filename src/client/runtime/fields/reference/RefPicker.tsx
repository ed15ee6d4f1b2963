import { OpenRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import { useScreenRef } from '../../../api/screens.ts';
import { toast } from '../../../app/feedback.ts';
import fieldStyles from '../fields.module.css';
import type { FieldHost, WidgetProps } from '../widget.ts';
import { useFieldHost } from '../widget.ts';
import { Combobox } from './Combobox.tsx';
import { applyChoice } from './apply_choice.ts';
import { HoverFacts } from './hover_facts.tsx';
import { fetchOptions, whereOf } from './option_calls.ts';
import type { Option } from './option_calls.ts';
import { noteChoice } from './recent_choices.ts';
import { useHostValue } from './use_host_value.ts';
import { inSentence } from '../../../../descriptor/in_sentence.ts';

const CreateDialog = lazy(() => import('./CreateDialog.tsx'));
const RecordPanel = lazy(() => import('./RecordPanel.tsx'));

/**
 * Chooses one record of another type: search as you type, recent choices first, adding a new record if the person may,
 * and the chosen one in a side panel.
 */
export function RefPicker(props: WidgetProps) {
  const { field, onChange } = props;
  const host = useFieldHost();
  const type = field.ref?.type ?? '';
  const value = typeof props.value === 'number' ? props.value : null;
  const label = useLabel(props, host);
  const access = useScreenRef(type);
  const [creating, setCreating] = useState<string | null>(null);
  const [looking, setLooking] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const choose = useCallback(
    (option: Option) => {
      noteChoice(type, option.id);
      if (host) void applyChoice(host, field, option);
      else onChange(option.id);
    },
    [host, field, type, onChange],
  );
  const empty = useCallback(() => {
    if (host) void applyChoice(host, field, null);
    else onChange(null);
  }, [host, field, onChange]);
  useWrongChoiceCleared(host, props, label, empty);

  const mayAdd = access !== undefined && access.rights.add_screen && access.rights.write && access.routes.add !== null;
  const mayLook = access !== undefined && (access.rights.view_screen || access.rights.edit_screen);
  return (
    <>
      <HoverFacts type={type} id={mayLook && !props.bare ? value : null}>
        <Combobox
          props={props}
          text={label}
          placeholder={props.bare || props.readOnly ? '' : 'Search'}
          chosen={new Set(value === null ? [] : [value])}
          onPick={choose}
          onEmpty={empty}
          inputRef={input}
          create={mayAdd ? { label: `Add ${inSentence(access.title)}`, onCreate: setCreating } : null}
          after={
            mayLook &&
            value !== null && (
              <button
                type="button"
                className={fieldStyles.iconButton}
                aria-label={`Open ${label === '' ? field.title : label}`}
                onClick={() => setLooking(true)}
              >
                <OpenRegular />
              </button>
            )
          }
        />
      </HoverFacts>
      <Suspense fallback={null}>
        {creating !== null && (
          <CreateDialog
            type={type}
            name={creating}
            where={host ? newRecordValues(host, props) : {}}
            onClose={() => {
              setCreating(null);
              input.current?.focus();
            }}
            onCreated={(option) => {
              setCreating(null);
              choose(option);
              input.current?.focus();
            }}
          />
        )}
        {looking && value !== null && <RecordPanel type={type} id={value} onClose={() => setLooking(false)} />}
      </Suspense>
    </>
  );
}

/** The values that a new record needs so that it can be chosen here: those that restrict the choice. */
function newRecordValues(host: FieldHost, { field }: WidgetProps): Record<string, unknown> {
  const values = host.values();
  const known = Object.entries(field.ref?.filter ?? {}).filter(
    ([, own]) => values[own] !== null && values[own] !== undefined,
  );
  return {
    ...field.ref?.fixed,
    ...Object.fromEntries(
      known.flatMap(([theirs, own]) => [
        [theirs, values[own]],
        [`${theirs}__label`, values[`${own}__label`]],
      ]),
    ),
  };
}

/** The chosen record's name: from the label in the record, or requested. */
function useLabel({ field, value }: WidgetProps, host: FieldHost | null): string {
  const beside = useHostValue(host, `${field.name}__label`);
  const [asked, setAsked] = useState<{ id: unknown; label: string } | null>(null);
  const known = typeof beside === 'string' && beside !== '';
  const missing = !known && typeof value === 'number' && asked?.id !== value;
  useEffect(() => {
    if (!missing) return;
    const stop = new AbortController();
    // Without the form's restriction: a stored choice has a name even if it would not be offered now.
    fetchOptions(
      host && { ...host, values: () => ({}) },
      { ...field, ref: { type: field.ref?.type ?? '' } },
      { ids: [value], signal: stop.signal },
    )
      .then(([found]) => setAsked({ id: value, label: found?.label ?? `#${value}` }))
      .catch(() => !stop.signal.aborted && setAsked({ id: value, label: `#${value}` }));
    return () => stop.abort();
  }, [missing, value, field, host]);
  if (value === null || value === undefined) return '';
  return known ? beside : asked?.id === value ? asked.label : '';
}

/** When a restricting value changes, a choice that no longer fits is cleared, with a message. */
function useWrongChoiceCleared(
  host: FieldHost | null,
  { field, value }: WidgetProps,
  label: string,
  empty: () => void,
): void {
  const now = useRef({ value, label, empty });
  now.current = { value, label, empty };
  useEffect(() => {
    if (!host || !field.ref?.filter) return;
    let before = JSON.stringify(whereOf(field, host.values()));
    let stop: AbortController | null = null;
    const leave = host.subscribe(() => {
      const where = JSON.stringify(whereOf(field, host.values()));
      if (where === before) return;
      before = where;
      stop?.abort();
      const { [field.name]: id } = host.values();
      if (typeof id !== 'number') return;
      stop = new AbortController();
      const name = now.current.label;
      // Requested by name: a request by id would ignore the restriction.
      fetchOptions(host, field, { q: name, limit: 200, signal: stop.signal })
        .then((found) => {
          if (found.some((option) => option.id === id) || host.values()[field.name] !== id) return;
          now.current.empty();
          toast.info(
            `${field.title}${name === '' ? '' : ` “${name}”`} was cleared: it does not belong to what you chose.`,
          );
        })
        // The server checks again on saving.
        .catch(() => undefined);
    });
    return () => {
      stop?.abort();
      leave();
    };
  }, [host, field]);
}
