import { leftOf } from '../../../domain/questionnaire/faults.ts';
import { shuffled } from '../../../domain/questionnaire/shuffle.ts';
import type { QuestionProps } from './question_props.ts';
import { named } from './question_props.ts';
import styles from './questionnaire.module.css';
import { TextBox } from './TextInput.tsx';

/** Ranking with buttons: first the ranked choices, then the remaining ones. */
export function RankingInput(props: QuestionProps) {
  const { asked, fixed, onChange, seed } = props;
  const { question, key } = asked;
  const ranked = Array.isArray(asked.value) ? (asked.value as string[]) : [];
  const all = question.shuffle ? shuffled(question.options, `${seed} ${key}`, question.pinLast ?? 0) : question.options;
  const label = new Map(all.map((one) => [one.code, one.label]));
  const max = question.maxChoices ?? all.length;
  const move = (at: number, by: number) => {
    const next = [...ranked];
    const [one] = next.splice(at, 1);
    next.splice(at + by, 0, one!);
    onChange(next);
  };
  return (
    <div role="group" className={styles.list} {...named(props)}>
      <ol className={styles.ranked}>
        {ranked.map((code, at) => (
          <li key={code}>
            <span>{label.get(code)}</span>
            <span className={styles.moves}>
              <button
                type="button"
                disabled={fixed || at === 0}
                aria-label={`${label.get(code)} up`}
                onClick={() => move(at, -1)}
              >
                ↑
              </button>
              <button
                type="button"
                disabled={fixed || at === ranked.length - 1}
                aria-label={`${label.get(code)} down`}
                onClick={() => move(at, 1)}
              >
                ↓
              </button>
              <button
                type="button"
                disabled={fixed}
                aria-label={`${label.get(code)}: take back`}
                onClick={() => onChange(ranked.filter((one) => one !== code))}
              >
                ×
              </button>
            </span>
          </li>
        ))}
      </ol>
      <div className={styles.choices}>
        {all
          .filter(({ code }) => !ranked.includes(code))
          .map((one) => (
            <button
              key={one.code}
              type="button"
              className={styles.choice}
              disabled={fixed || ranked.length >= max}
              onClick={() => onChange([...ranked, one.code])}
            >
              {one.label}
            </button>
          ))}
      </div>
    </div>
  );
}

/** Numbers that must add up to a total. */
export function SumInput(props: QuestionProps) {
  const { asked, id, fixed, onChange } = props;
  const { question } = asked;
  const parts = (asked.value ?? {}) as Record<string, number>;
  const left = question.total === undefined ? null : leftOf(question.total, parts);
  return (
    <div role="group" className={styles.list} {...named(props)}>
      {question.options.map(({ code, label }) => (
        <label key={code} className={styles.named} htmlFor={`${id}-${code}`}>
          <span>{label}</span>
          <TextBox
            id={`${id}-${code}`}
            value={parts[code] === undefined ? '' : String(parts[code])}
            fixed={fixed}
            naming={{ inputMode: 'decimal' }}
            check={(typed) => (Number(typed.replaceAll(',', '')) >= 0 ? null : 'This is not a number.')}
            onChange={(typed) => {
              const { [code]: _before, ...others } = parts;
              const number = Number((typed ?? '').replaceAll(',', ''));
              onChange(typed === null || !(number >= 0) ? others : { ...others, [code]: number });
            }}
          />
        </label>
      ))}
      {left !== null && (
        <output className={styles.left} data-done={left === 0 ? '' : undefined}>
          {left === 0 ? 'All is distributed' : left > 0 ? `${left} left` : `${-left} too many`}
        </output>
      )}
    </div>
  );
}
