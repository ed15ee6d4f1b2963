import { useMemo, useState } from 'react';
import type { FormSection, Screen } from '../../../descriptor/types.ts';
import { isShown } from '../../../descriptor/validate.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { FieldValue } from '../fields/display.tsx';
import { fieldWidth } from '../fields/registry.tsx';
import type { FieldHost } from '../fields/widget.ts';
import { FieldHostContext } from '../fields/widget.ts';
import { SectionFrame } from './FormLayout.tsx';
import styles from './form.module.css';
import type { Values } from './values.ts';

/** A record in the layout of its form, values as text. */
export function RecordView({ screen, record }: { screen: Screen; record: Values }) {
  // A tab without visible content for this record is not shown.
  const tabs = useMemo(
    () =>
      screen.form.tabs.filter(({ sections }) =>
        sections.some((section) => shownFields(screen, section, record).length > 0),
      ),
    [screen, record],
  );
  const [at, setAt] = useState(0);
  const host = useMemo<FieldHost>(
    () => ({
      screen,
      values: () => record,
      subscribe: () => () => undefined,
      setValues: () => undefined,
      drafts: new Set(),
    }),
    [screen, record],
  );
  const tab = tabs[Math.min(at, tabs.length - 1)];
  return (
    <FieldHostContext value={host}>
      {tabs.length > 1 && (
        <div
          role="tablist"
          aria-label={`Parts of ${inSentence(screen.title)}`}
          className={styles.tabList}
          onKeyDown={(event) => {
            const to: Record<string, number> = {
              ArrowRight: at + 1,
              ArrowLeft: at - 1 + tabs.length,
              Home: 0,
              End: tabs.length - 1,
            };
            const next = to[event.key];
            if (next === undefined) return;
            event.preventDefault();
            setAt(next % tabs.length);
            event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next % tabs.length]?.focus();
          }}
        >
          {tabs.map(({ title }, index) => (
            <button
              key={title}
              type="button"
              role="tab"
              id={`view-tab-${index}`}
              aria-controls="view-panel"
              aria-selected={index === at}
              tabIndex={index === at ? 0 : -1}
              onClick={() => setAt(index)}
            >
              {title}
            </button>
          ))}
        </div>
      )}
      <div {...(tabs.length > 1 && { role: 'tabpanel', id: 'view-panel', 'aria-labelledby': `view-tab-${at}` })}>
        {tab?.sections.map((section, index) => (
          <Section key={`${at} ${index}`} screen={screen} section={section} record={record} />
        ))}
      </div>
    </FieldHostContext>
  );
}

function Section({ screen, section, record }: { screen: Screen; section: FormSection; record: Values }) {
  const fields = shownFields(screen, section, record);
  if (fields.length === 0) return null;
  return (
    <SectionFrame title={section.title} help={undefined} columns={section.columns}>
      {fields.map((field) => (
        <dl key={field.name} className={styles.fact} data-width={fieldWidth(field) === 'full' ? 'full' : undefined}>
          <dt id={`view-${field.name}-label`}>{field.title}</dt>
          <dd>
            <FieldValue field={field} value={record[field.name]} record={record} />
          </dd>
        </dl>
      ))}
    </SectionFrame>
  );
}

const shownFields = (screen: Screen, section: FormSection, record: Values) =>
  section.fields
    .flatMap((name) => screen.fields.find((field) => field.name === name) ?? [])
    .filter((field) => isShown(screen, field, { ...record }));
