import { text } from '../../../descriptor/expression/value.ts';
import { pointsOf } from '../../../domain/questionnaire/question.ts';
import type { Question } from '../../../domain/questionnaire/question.ts';
import type { QuestionProps } from './question_props.ts';
import { named } from './question_props.ts';
import styles from './questionnaire.module.css';

const USUAL_LABELS: Partial<Record<Question['type'], [string, string]>> = {
  nps: ['Not at all likely', 'Extremely likely'],
  csat: ['Very dissatisfied', 'Very satisfied'],
  ces: ['Very difficult', 'Very easy'],
};

/** The labels at both ends of a scale. */
function endsOf({ type, minLabel, maxLabel }: Question): [string, string] {
  const [low, high] = USUAL_LABELS[type] ?? ['', ''];
  return [minLabel ?? low, maxLabel ?? high];
}

/** A whole number on a scale, as buttons in a line. */
export function PointInput(props: QuestionProps) {
  const { asked, id, fixed, onChange } = props;
  const { question, value } = asked;
  const [low, high] = pointsOf(question)!;
  const [lowest, highest] = endsOf(question);
  const stars = question.type === 'rating';
  return (
    <div className={styles.scale}>
      <div role="radiogroup" className={styles.points} data-stars={stars ? '' : undefined} {...named(props)}>
        {Array.from({ length: high - low + 1 }, (_, at) => low + at).map((point) => (
          <label
            key={point}
            className={styles.point}
            data-on={(stars ? Number(value ?? low - 1) >= point : value === point) ? '' : undefined}
          >
            <input
              type="radio"
              name={id}
              checked={value === point}
              disabled={fixed}
              aria-label={`${point}${point === low && lowest ? `, ${lowest}` : point === high && highest ? `, ${highest}` : ''}`}
              onChange={() => onChange(point)}
              onClick={() => value === point && !asked.required && onChange(null)}
            />
            <span aria-hidden>{stars ? '★' : point}</span>
          </label>
        ))}
      </div>
      {(lowest !== '' || highest !== '') && (
        <div className={styles.ends} aria-hidden>
          <span>{lowest}</span>
          <span>{highest}</span>
        </div>
      )}
    </div>
  );
}

/** A number on a line. */
export function SliderInput(props: QuestionProps) {
  const { asked, id, fixed, onChange } = props;
  const limit = (value: typeof asked.min, otherwise: number) => (value === null ? otherwise : Number(text(value)));
  const [low, high] = [limit(asked.min, 0), limit(asked.max, 100)];
  const [lowest, highest] = endsOf(asked.question);
  const value = typeof asked.value === 'number' ? asked.value : null;
  return (
    <div className={styles.scale}>
      <div className={styles.slider}>
        <input
          id={id}
          type="range"
          min={low}
          max={high}
          step={asked.question.step ?? 1}
          value={value ?? low}
          disabled={fixed}
          data-empty={value === null ? '' : undefined}
          {...named(props)}
          onChange={({ target }) => onChange(Number(target.value))}
        />
        <output htmlFor={id}>{value ?? '–'}</output>
      </div>
      <div className={styles.ends} aria-hidden>
        <span>{lowest || low}</span>
        <span>{highest || high}</span>
      </div>
    </div>
  );
}
