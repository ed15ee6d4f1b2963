import { unitOf } from '../../../descriptor/money.ts';
import { Button, Checkbox, Field as FormField, Input, Select } from '@fluentui/react-components';
import { SearchRegular } from '@fluentui/react-icons';
import { useEffect, useEffectEvent, useState } from 'react';
import { parseDate } from '../../../descriptor/fieldtypes/calendar.ts';
import { formatDate } from '../../../descriptor/format.ts';
import type { Field, FilterOperator, Screen } from '../../../descriptor/types.ts';
import { RELATIVE_DAYS } from '../../../domain/relative_days.ts';
import { columnFields } from './cell_text.ts';
import { datePresets } from './date_presets.ts';
import { place, today } from '../../../descriptor/place.ts';
import type { FilterDraft } from './filter_draft.ts';
import { conditionOf, draftOf, filterKind, operatorChoices } from './filter_draft.ts';
import styles from './landing.module.css';
import type { Condition } from './list_address.ts';
import type { Option } from './use_labels.ts';
import { fetchOptions } from './use_labels.ts';

/** Every field that can be filtered; the screen's own filters first. */
export function FieldList({ screen, onChoose }: { screen: Screen; onChoose: (field: Field) => void }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const fields = columnFields(screen)
    .filter((field) => field.name !== 'active' && operatorChoices(field).length > 0)
    .filter((field) => field.title.toLowerCase().includes(wanted))
    .sort((a, b) => Number(screen.filters.includes(b.name)) - Number(screen.filters.includes(a.name)));
  return (
    <div className={styles.editor}>
      <Input
        size="small"
        contentBefore={<SearchRegular />}
        placeholder="Find a field"
        aria-label="Find a field"
        value={text}
        onChange={(_, { value }) => setText(value)}
        onKeyDown={(event) => {
          const [first] = fields;
          if (event.key !== 'Enter' || !first) return;
          // Otherwise the same key press would submit the editor that replaces this one.
          event.preventDefault();
          onChoose(first);
        }}
      />
      <ul className={styles.options}>
        {fields.map((field) => (
          <li key={field.name}>
            <button type="button" onClick={() => onChoose(field)}>
              {field.title}
            </button>
          </li>
        ))}
        {fields.length === 0 && <li className={styles.muted}>No field has that name.</li>}
      </ul>
    </div>
  );
}

/** Edits one condition, depending on the type of its field. */
export function FilterEditor({
  screen,
  field,
  condition,
  onApply,
}: {
  screen: Screen;
  field: Field;
  condition: Condition | null;
  onApply: (condition: Condition | null) => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(field, condition));
  const [error, setError] = useState<string | null>(null);
  const kind = filterKind(field);
  const choices = operatorChoices(field);
  const change = (part: Partial<FilterDraft>) => {
    setDraft((old) => ({ ...old, ...part }));
    setError(null);
  };
  const apply = (from = draft) => {
    const answer = conditionOf(field, from);
    if ('error' in answer) setError(answer.error);
    else onApply(answer.condition);
  };
  const listed = draft.op === 'in' || draft.op === 'notin';
  const bare = draft.op === 'empty' || draft.op === 'notempty';
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div className={styles.editorHead}>
        <b>{field.title}</b>
        {choices.length > 1 && (
          <Select
            size="small"
            aria-label="How to compare"
            value={draft.op}
            onChange={(_, { value }) => change({ op: value as FilterOperator })}
          >
            {choices.map(({ op, label }) => (
              <option key={op} value={op}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </div>
      {!bare && (kind === 'text' || draft.op === 'contains') && (
        <FormField validationMessage={error} size="small">
          <Input value={draft.text} aria-label={field.title} onChange={(_, { value }) => change({ text: value })} />
        </FormField>
      )}
      {!bare && kind === 'number' && <NumberRange field={field} draft={draft} error={error} change={change} />}
      {draft.op === 'within' && (
        <Select
          size="small"
          aria-label={`${field.title}, period`}
          value={draft.text}
          onChange={(_, { value }) => change({ text: value })}
        >
          <option value="" disabled>
            Choose a period
          </option>
          {Object.entries(RELATIVE_DAYS).map(([word, { title }]) => (
            <option key={word} value={word}>
              {title}
            </option>
          ))}
        </Select>
      )}
      {!bare && kind === 'date' && draft.op !== 'within' && (
        <DateRange
          field={field}
          draft={draft}
          error={error}
          change={change}
          onPreset={(part) => apply({ ...draft, ...part })}
        />
      )}
      {listed && (kind === 'enum' || kind === 'boolean') && (
        <TickList
          options={
            kind === 'boolean'
              ? [
                  { value: true, label: 'Yes' },
                  { value: false, label: 'No' },
                ]
              : (field.options ?? [])
          }
          chosen={draft.chosen}
          onChange={(chosen) => change({ chosen })}
        />
      )}
      {listed && (kind === 'ref' || kind === 'refs') && (
        <ReferencePick screen={screen} field={field} chosen={draft.chosen} onChange={(chosen) => change({ chosen })} />
      )}
      <div className={styles.editorFoot}>
        {condition && (
          <Button size="small" appearance="subtle" onClick={() => onApply(null)}>
            Clear
          </Button>
        )}
        <Button size="small" appearance="primary" type="submit">
          Apply
        </Button>
      </div>
    </form>
  );
}

interface RangeProps {
  field: Field;
  draft: FilterDraft;
  error: string | null;
  change: (part: Partial<FilterDraft>) => void;
}

function NumberRange({ field, draft, error, change }: RangeProps) {
  const two = draft.op === 'between';
  return (
    <FormField validationMessage={error} size="small">
      <div className={styles.range}>
        <Input
          inputMode="decimal"
          aria-label={two ? `${field.title} from` : field.title}
          placeholder={two ? 'From' : ''}
          contentAfter={unitOf(field) ?? null}
          value={draft.from}
          onChange={(_, { value }) => change({ from: value })}
        />
        {two && (
          <Input
            inputMode="decimal"
            aria-label={`${field.title} up to`}
            placeholder="Up to"
            contentAfter={unitOf(field) ?? null}
            value={draft.to}
            onChange={(_, { value }) => change({ to: value })}
          />
        )}
      </div>
    </FormField>
  );
}

function DateRange({
  field,
  draft,
  error,
  change,
  onPreset,
}: RangeProps & { onPreset: (part: Partial<FilterDraft>) => void }) {
  const two = draft.op === 'between';
  const [presets] = useState(() => datePresets(today(), place().fyStartMonth));
  const day = (label: string, value: string, put: (value: string) => void) => (
    <Input
      placeholder="DD-MM-YYYY"
      aria-label={label}
      value={value}
      onChange={(_, data) => put(data.value)}
      // The parsed value is shown: 1/4/26 becomes 01-04-2026.
      onBlur={() => {
        const read = parseDate(value);
        if ('value' in read && read.value !== null) put(formatDate(read.value));
      }}
    />
  );
  return (
    <>
      {two && (
        <div className={styles.presets}>
          {presets.map(({ label, from, to }) => (
            <button key={label} type="button" onClick={() => onPreset({ from, to })}>
              {label}
            </button>
          ))}
        </div>
      )}
      <FormField validationMessage={error} size="small">
        <div className={styles.range}>
          {day(two ? `${field.title} from` : field.title, draft.from, (from) => change({ from }))}
          {two && day(`${field.title} up to`, draft.to, (to) => change({ to }))}
        </div>
      </FormField>
    </>
  );
}

type Value = FilterDraft['chosen'][number];

function TickList({
  options,
  chosen,
  onChange,
}: {
  options: { value: Value; label: string }[];
  chosen: Value[];
  onChange: (chosen: Value[]) => void;
}) {
  return (
    <ul className={styles.options}>
      {options.map(({ value, label }) => (
        <li key={String(value)}>
          <Checkbox
            label={label}
            checked={chosen.includes(value)}
            onChange={(_, { checked }) =>
              onChange(checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
        </li>
      ))}
    </ul>
  );
}

/** Search as you type; selected entries stay at the top during the search. */
function ReferencePick({
  screen,
  field,
  chosen,
  onChange,
}: {
  screen: Screen;
  field: Field;
  chosen: Value[];
  onChange: (chosen: Value[]) => void;
}) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Option[] | null>(null);
  const [failed, setFailed] = useState('');
  const [picked, setPicked] = useState<Option[]>([]);

  const show = useEffectEvent((options: Option[]) => {
    setFound(options);
    setPicked((old) => [
      ...old,
      ...options.filter((one) => chosen.includes(one.id) && !old.some((other) => other.id === one.id)),
    ]);
    setFailed('');
  });
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(
      () => {
        fetchOptions(screen, field, text.trim(), stop.signal)
          .then(show)
          .catch((thrown: unknown) => {
            if (!stop.signal.aborted)
              setFailed(thrown instanceof Error ? thrown.message : 'This list could not be loaded.');
          });
      },
      text === '' ? 0 : 200,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [screen, field, text]);

  const rest = (found ?? []).filter((option) => !picked.some((one) => one.id === option.id));
  const line = (option: Option) => (
    <li key={option.id}>
      <Checkbox
        label={option.detail ? `${option.label} · ${option.detail}` : option.label}
        checked={chosen.includes(option.id)}
        onChange={(_, { checked }) => {
          if (checked && !picked.some((one) => one.id === option.id)) setPicked((old) => [...old, option]);
          onChange(checked ? [...chosen, option.id] : chosen.filter((one) => one !== option.id));
        }}
      />
    </li>
  );
  return (
    <>
      <Input
        size="small"
        contentBefore={<SearchRegular />}
        placeholder="Search"
        aria-label={`Search ${field.title}`}
        value={text}
        onChange={(_, { value }) => setText(value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && text !== '') event.preventDefault();
        }}
      />
      <ul className={styles.options} aria-busy={found === null}>
        {picked.map(line)}
        {rest.map(line)}
        {failed !== '' && <li className={styles.muted}>{failed}</li>}
        {found !== null && picked.length + rest.length === 0 && failed === '' && (
          <li className={styles.muted}>Nothing found.</li>
        )}
      </ul>
    </>
  );
}
