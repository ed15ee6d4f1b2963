import { codeOf } from '../../../domain/questionnaire/answer_form.ts';
import type { Choice } from '../../../domain/questionnaire/question.ts';
import { choicesOf } from '../../../domain/questionnaire/question.ts';
import { shuffled } from '../../../domain/questionnaire/shuffle.ts';
import { TextBox } from './TextInput.tsx';
import type { QuestionProps } from './question_props.ts';
import { named } from './question_props.ts';
import styles from './questionnaire.module.css';

const ownText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? String((value as { text?: unknown }).text ?? '') : '';

/** The choices in the order for this respondent. */
function orderOf({ asked: { question, key }, seed }: QuestionProps): Choice[] {
  const all = choicesOf(question);
  return question.shuffle ? shuffled(all, `${seed} ${key}`, question.pinLast ?? 0) : all;
}

/** Single choice, as buttons; a second press clears it if it is not required. */
export function OneChoice(props: QuestionProps) {
  const { asked, id, fixed, onChange, Picture } = props;
  const { question, value } = asked;
  const chosen = codeOf(value);
  const other = choicesOf(question).find(({ code }) => code === chosen)?.other === true;
  return (
    <>
      <div role="radiogroup" className={styles.choices} {...named(props)}>
        {orderOf(props).map((choice) => (
          <label key={choice.code} className={styles.choice} data-on={choice.code === chosen ? '' : undefined}>
            <input
              type="radio"
              name={id}
              checked={choice.code === chosen}
              disabled={fixed}
              onChange={() => onChange(choice.code)}
              onClick={() => choice.code === chosen && !asked.required && onChange(null)}
            />
            {choice.image !== undefined && Picture && (
              <Picture image={choice.image} label={choice.label} className={styles.picture} />
            )}
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
      {other && <OwnText props={props} value={value} onText={(text) => onChange({ code: chosen, text })} />}
    </>
  );
}

/** Multiple choice; an exclusive option clears the others. */
export function SeveralChoices(props: QuestionProps) {
  const { asked, fixed, onChange } = props;
  const list = Array.isArray(asked.value) ? (asked.value as unknown[]) : [];
  const codes = new Set(list.map(codeOf));
  const other = asked.question.options.find((one) => one.other && codes.has(one.code));
  const alone = new Set(asked.question.options.flatMap(({ code, exclusive }) => (exclusive ? [code] : [])));
  const toggle = (choice: Choice) => {
    if (codes.has(choice.code)) return onChange(list.filter((one) => codeOf(one) !== choice.code));
    if (choice.exclusive) return onChange([choice.code]);
    onChange([...list.filter((one) => !alone.has(codeOf(one) ?? '')), choice.code]);
  };
  return (
    <>
      <div role="group" className={styles.choices} {...named(props)}>
        {orderOf(props).map((choice) => (
          <label key={choice.code} className={styles.choice} data-on={codes.has(choice.code) ? '' : undefined}>
            <input type="checkbox" checked={codes.has(choice.code)} disabled={fixed} onChange={() => toggle(choice)} />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
      {other && (
        <OwnText
          props={props}
          value={list.find((one) => codeOf(one) === other.code)}
          onText={(text) =>
            onChange(list.map((one) => (codeOf(one) === other.code ? { code: other.code, text } : one)))
          }
        />
      )}
    </>
  );
}

/** One of a long list. */
export function LongList(props: QuestionProps) {
  const { asked, id, fixed, onChange } = props;
  const chosen = codeOf(asked.value) ?? '';
  const other = asked.question.options.find(({ code }) => code === chosen)?.other === true;
  return (
    <>
      <select
        id={id}
        className={styles.input}
        value={chosen}
        disabled={fixed}
        {...named(props)}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      >
        <option value="">Choose…</option>
        {orderOf(props).map(({ code, label }) => (
          <option key={code} value={code}>
            {label}
          </option>
        ))}
      </select>
      {other && <OwnText props={props} value={asked.value} onText={(text) => onChange({ code: chosen, text })} />}
    </>
  );
}

/** "I agree". */
export function Consent(props: QuestionProps) {
  const { asked, id, fixed, onChange } = props;
  return (
    <label className={styles.choice} data-alone="" data-on={asked.value === 'yes' ? '' : undefined}>
      <input
        id={id}
        type="checkbox"
        checked={asked.value === 'yes'}
        disabled={fixed}
        aria-describedby={`${id}-text ${id}-message`}
        onChange={({ target }) => onChange(target.checked ? 'yes' : null)}
      />
      <span>I agree</span>
    </label>
  );
}

function OwnText({ props, value, onText }: { props: QuestionProps; value: unknown; onText: (text: string) => void }) {
  return (
    <TextBox
      id={`${props.id}-own`}
      label="In your own words"
      placeholder="In your own words"
      value={ownText(value)}
      fixed={props.fixed}
      onChange={(text) => onText(text ?? '')}
    />
  );
}
