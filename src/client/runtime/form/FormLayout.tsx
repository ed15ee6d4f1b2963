import type { ReactNode } from 'react';
import {
  Suspense,
  lazy,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Field, FormSection, Screen } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { LayoutContext } from './layout_context.ts';
import styles from './form.module.css';
import { useForm } from './form_context.ts';
import type { FormStore } from './form_store.ts';

// Few forms have steps.
const FormSteps = lazy(() => import('./FormSteps.tsx'));

/**
 * Tabs of sections with their fields; a tab without any is left out. Tabs that were not opened yet are rendered when
 * the browser is idle.
 */
export function FormLayout({ fields }: { fields: ReadonlyMap<string, ReactNode> }) {
  const { store, prefix } = useForm();
  const { tabs } = store.screen.form;
  const layout = useContext(LayoutContext);
  const filled = useFilledTabs(store);
  const tab =
    layout.steps > 0 ? Math.min(layout.tab, tabs.length) : filled.includes(layout.tab) ? layout.tab : (filled[0] ?? 0);
  const [drawn, setDrawn] = useState<ReadonlySet<number>>(new Set([tab]));
  const counts = useErrorCounts(store);

  useEffect(() => {
    setDrawn((old) => (old.has(tab) ? old : new Set(old).add(tab)));
  }, [tab]);
  useEffect(() => {
    const all = () => startTransition(() => setDrawn(new Set(tabs.keys())));
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(all, 300);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(all, { timeout: 2000 });
    return () => cancelIdleCallback(idle);
  }, [tabs]);

  if (layout.steps > 0)
    return (
      <Suspense fallback={null}>
        <FormSteps store={store} layout={layout} counts={counts}>
          {tabs.map(({ title, sections }, index) => (
            <div key={title} hidden={index !== tab}>
              {(drawn.has(index) || index === tab) && <Sections sections={sections} fields={fields} />}
            </div>
          ))}
        </FormSteps>
      </Suspense>
    );
  if (filled.length <= 1) return <Sections sections={tabs[tab]!.sections} fields={fields} />;
  return (
    <div className={styles.tabs}>
      <div
        role="tablist"
        aria-label={`Parts of ${inSentence(store.screen.title)}`}
        className={styles.tabList}
        onKeyDown={(event) => {
          const at = filled.indexOf(tab);
          const to: Record<string, number> = {
            ArrowRight: at + 1,
            ArrowLeft: at - 1 + filled.length,
            Home: 0,
            End: filled.length - 1,
          };
          const next = to[event.key];
          if (next === undefined) return;
          event.preventDefault();
          layout.setTab(filled[next % filled.length]!);
          event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next % filled.length]?.focus();
        }}
      >
        {filled.map((index) => {
          const { title } = tabs[index]!;
          const count = counts[index] ?? 0;
          return (
            <button
              key={title}
              type="button"
              role="tab"
              id={`${prefix}-tab-${index}`}
              aria-selected={index === tab}
              aria-controls={`${prefix}-panel-${index}`}
              tabIndex={index === tab ? 0 : -1}
              onClick={() => layout.setTab(index)}
            >
              {title}
              {count > 0 && (
                <span className={styles.count}>
                  {count}
                  <span className={styles.hidden}> {count === 1 ? 'error' : 'errors'}</span>
                </span>
              )}
            </button>
          );
        })}
      </div>
      {tabs.map(({ title, sections }, index) => (
        <div
          key={title}
          role="tabpanel"
          id={`${prefix}-panel-${index}`}
          aria-labelledby={`${prefix}-tab-${index}`}
          hidden={index !== tab}
        >
          {(drawn.has(index) || index === tab) && <Sections sections={sections} fields={fields} />}
        </div>
      ))}
    </div>
  );
}

/** The places of the tabs in which this record shows a field. */
function useFilledTabs(store: FormStore): number[] {
  const text = useSyncExternalStore(store.subscribe, () =>
    store.screen.form.tabs
      .flatMap(({ sections }, index) =>
        sections.some(({ fields }) => fields.some((name) => store.field(name).shown)) ? [index] : [],
      )
      .join(' '),
  );
  return useMemo(() => (text === '' ? [] : text.split(' ').map(Number)), [text]);
}

function Sections({ sections, fields }: { sections: FormSection[]; fields: ReadonlyMap<string, ReactNode> }) {
  return (
    <>
      {sections.map((section, index) => (
        <Section key={`${index} ${section.title ?? ''}`} section={section} fields={fields} />
      ))}
    </>
  );
}

/** A section is hidden when all its fields are. */
function Section({ section, fields }: { section: FormSection; fields: ReadonlyMap<string, ReactNode> }) {
  const { store } = useForm();
  const shown = useSyncExternalStore(
    store.subscribe,
    useCallback(() => section.fields.some((name) => store.field(name).shown), [store, section]),
  );
  if (!shown) return null;
  return (
    <SectionFrame
      title={section.title}
      help={section.help}
      columns={section.columns}
      count={<SectionCount section={section} />}
    >
      {section.fields.map((name) => fields.get(name))}
    </SectionFrame>
  );
}

/** Heading, muted line and columns: the same for editing and reading. */
export function SectionFrame({
  title,
  help,
  columns,
  count,
  children,
}: {
  title: string | undefined;
  help: string | undefined;
  columns: 1 | 2 | undefined;
  count?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      {title && (
        <h2 className={styles.heading}>
          {title}
          {count}
        </h2>
      )}
      {help && <p className={styles.help}>{help}</p>}
      <div className={styles.grid} data-columns={columns ?? 2}>
        {children}
      </div>
    </section>
  );
}

function SectionCount({ section }: { section: FormSection }) {
  const { store } = useForm();
  const names = useMemo(() => new Set(section.fields), [section]);
  const count = useSyncExternalStore(store.subscribe, () => countIn(store, names));
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      {count}
      <span className={styles.hidden}> {count === 1 ? 'error' : 'errors'}</span>
    </span>
  );
}

function countIn(store: FormStore, names: ReadonlySet<string>): number {
  let count = 0;
  for (const path of store.messages().keys()) if (names.has(path.split('.')[0] ?? '')) count++;
  return count;
}

/** Errors of each tab. */
function useErrorCounts(store: FormStore): number[] {
  const sets = useMemo(
    () => store.screen.form.tabs.map((tab) => new Set(tab.sections.flatMap((section) => section.fields))),
    [store],
  );
  const text = useSyncExternalStore(store.subscribe, () => sets.map((names) => countIn(store, names)).join(' '));
  return text.split(' ').map(Number);
}

/** The tab that contains a field; -1 if none does. */
export function tabOf(screen: Screen, name: string): number {
  return screen.form.tabs.findIndex((tab) => tab.sections.some((section) => section.fields.includes(name)));
}

/** The fields in the order in which the form shows them. */
export function fieldsInOrder(screen: Screen): Field[] {
  const order = screen.form.tabs.flatMap((tab) => tab.sections.flatMap((section) => section.fields));
  return order.flatMap((name) => screen.fields.find((field) => field.name === name) ?? []);
}
