import { useRef } from 'react';
import type { Finding } from '../../../../domain/questionnaire/publish_check.ts';
import type { Values } from '../../form/values.ts';
import styles from './builder.module.css';
import type { Names, Place } from './places.ts';
import { added, freeCode, moved, removed, rowAt, rowsOf } from './places.ts';

interface QuestionTreeProps {
  values: Values;
  names: Names;
  findings: readonly Finding[];
  place: Place | null;
  fixed: boolean;
  onPlace: (place: Place) => void;
  onChange: (change: [Values, Place | null]) => void;
}

const isSame = (one: Place | null, { section, question }: Place): boolean =>
  one?.section === section && one.question === question;

/** Sections and their questions in order: arrow keys select, with Alt they move. */
export function QuestionTree({ values, names, findings, place, fixed, onPlace, onChange }: QuestionTreeProps) {
  const tree = useRef<HTMLUListElement>(null);
  const sections = rowsOf(values, names.sections);
  const all: Place[] = sections.flatMap((row, section) => [
    { section },
    ...rowsOf(row, names.questions).map((_, question) => ({ section, question })),
  ]);
  const at = all.findIndex((one) => isSame(place, one));
  const focusSoon = () =>
    requestAnimationFrame(() => tree.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  const move = (by: -1 | 1) => {
    const next = place && moved(values, names, place, by);
    if (!next) return;
    onChange(next);
    focusSoon();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    if (by !== null && event.altKey && !fixed) {
      event.preventDefault();
      move(by);
      return;
    }
    const target = by === null ? (event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : null) : at + by;
    const next = target === null ? undefined : all[target];
    if (!next) return;
    event.preventDefault();
    onPlace(next);
    focusSoon();
  };
  const troubled = (one: Place) =>
    findings.some(({ section, question }) => section === one.section && question === one.question);
  let number = 0;
  const item = (one: Place, row: Values) => {
    if (one.question !== undefined) number++;
    const isChosen = isSame(place, one);
    const text = String((one.question === undefined ? row.title : row.text) ?? '') || 'Without text';
    return (
      <button
        type="button"
        role="treeitem"
        aria-level={one.question === undefined ? 1 : 2}
        aria-selected={isChosen}
        tabIndex={isChosen || (at < 0 && one.section === 0 && one.question === undefined) ? 0 : -1}
        className={styles.item}
        data-section={one.question === undefined ? '' : undefined}
        onClick={() => onPlace(one)}
      >
        {one.question !== undefined && <span className={styles.number}>{number}</span>}
        <span className={styles.itemText}>{text}</span>
        {troubled(one) && <span className={styles.trouble} role="img" aria-label="Something is wrong here" />}
      </button>
    );
  };
  const chosen = place && rowAt(values, names, place);
  return (
    <>
      <ul ref={tree} role="tree" aria-label="Sections and questions" className={styles.tree} onKeyDown={onKeyDown}>
        {sections.map((row, section) => (
          <li key={String(row.id ?? `new-${section}`)} role="none">
            {item({ section }, row)}
            <ul role="group" className={styles.group}>
              {rowsOf(row, names.questions).map((inner, question) => (
                <li key={String(inner.id ?? `new-${question}`)} role="none">
                  {item({ section, question }, inner)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {!fixed && place && chosen && (
        <div className={styles.tools} role="toolbar" aria-label="Changes of the list">
          <button
            type="button"
            className={styles.button}
            data-primary=""
            onClick={() =>
              onChange(
                added(values, names, place.question === undefined ? { section: place.section } : place, {
                  code: freeCode(values, names, 'q'),
                  question_type: 'short_text',
                  text: '',
                  weight: '1',
                }),
              )
            }
          >
            Add question
          </button>
          <button
            type="button"
            className={styles.button}
            onClick={() =>
              onChange(
                added(
                  values,
                  names,
                  { section: place.section },
                  {
                    code: freeCode(values, names, 's'),
                    title: `Section ${sections.length + 1}`,
                    [names.questions]: [],
                  },
                ),
              )
            }
          >
            Add section
          </button>
          {place.question !== undefined && (
            <button
              type="button"
              className={styles.button}
              onClick={() => {
                const { id: _id, version: _version, ...copy } = chosen;
                onChange(added(values, names, place, { ...withoutIds(copy), code: freeCode(values, names, 'q') }));
              }}
            >
              Copy
            </button>
          )}
          <button type="button" className={styles.button} aria-label="Move up" onClick={() => move(-1)}>
            ↑
          </button>
          <button type="button" className={styles.button} aria-label="Move down" onClick={() => move(1)}>
            ↓
          </button>
          <button type="button" className={styles.button} onClick={() => onChange(removed(values, names, place))}>
            Remove
          </button>
        </div>
      )}
    </>
  );
}

/** The rows within a copied row are new ones too. */
function withoutIds(row: Values): Values {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(({ id: _id, ...one }: Record<string, unknown>) => one) : value,
    ]),
  );
}
