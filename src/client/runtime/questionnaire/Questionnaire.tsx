import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ComponentType } from 'react';
import { progressOf } from '../../../domain/questionnaire/completion.ts';
import { courseOf, togetherOf } from '../../../domain/questionnaire/course.ts';
import type { Asked, QuestionGroup, Course, ShownSection } from '../../../domain/questionnaire/course.ts';
import { faultsOf } from '../../../domain/questionnaire/faults.ts';
import type { Answer, Answers, Questionnaire as Content } from '../../../domain/questionnaire/question.ts';
import { isAnsweredByPerson } from '../../../domain/questionnaire/question.ts';
import { answerText, withAnswers } from '../../../domain/questionnaire/shown_text.ts';
import { OneByOne } from './OneByOne.tsx';
import type { PictureProps, QuestionProps } from './question_props.ts';
import { QuestionInput } from './QuestionInput.tsx';
import styles from './questionnaire.module.css';

interface QuestionnaireProps {
  id: string;
  content: Content;
  answers: Answers;
  attributes?: Readonly<Record<string, unknown>>;
  seed: string;
  /** Answers are read-only. */
  fixed?: boolean;
  /** One question at a time, whatever the questionnaire defines. */
  phone?: boolean;
  onAnswer: (key: string, answer: Answer) => void;
  Files?: ComponentType<QuestionProps>;
  Picture?: ComponentType<PictureProps>;
  /** The question shown first, and scrolled to when it changes. */
  focus?: string | undefined;
}

/** A questionnaire to answer: by section, one question at a time, or all on one page. */
export function Questionnaire(props: QuestionnaireProps) {
  const { content, answers, attributes, seed, phone = false } = props;
  const course = useMemo(
    () => courseOf(content, answers, { seed, ...(attributes && { attributes }) }),
    [content, answers, attributes, seed],
  );
  const faults = useMemo(() => new Map(faultsOf(course).map(({ key, message }) => [key, message])), [course]);
  const shown = course.asked.filter(({ question: { type } }) => type !== 'hidden');
  if (shown.length === 0) return <p className={styles.hint}>No question is asked here.</p>;
  const parts = { ...props, course, faults };
  if (phone || content.paging === 'question') return <Singly {...parts} shown={shown} />;
  return <Sections {...parts} />;
}

interface PartsProps extends QuestionnaireProps {
  course: Course;
  faults: ReadonlyMap<string, string>;
}

function Singly({ shown, ...props }: PartsProps & { shown: Asked[] }) {
  const { id, course, faults, content, focus, fixed = false } = props;
  const section = new Map(course.sections.flatMap((one) => one.asked.map(({ key }) => [key, one])));
  const lines = togetherOf(shown);
  const isWrong = ({ key }: Asked) => faults.has(key);
  return (
    <OneByOne
      labelledBy={`${id}-label`}
      lines={lines.map(({ lead, beside }) => ({
        key: lead.key,
        text: `${textOf(lead, course)}${repeatOf(section.get(lead.key))}`,
        answer: isAnsweredByPerson(lead.question.type) ? answerText(lead) : '',
        isAnswered: isDone(lead) && !(isAnswered(lead) && beside.some(isWrong)),
        counts: isAnsweredByPerson(lead.question.type),
        messages: isDone(lead)
          ? [lead, ...beside].filter(isWrong).map((one) => messageOf(one, lead, course, faults.get(one.key)!))
          : [],
      }))}
      wrong={
        focus === undefined
          ? undefined
          : lines.findIndex(({ lead, beside }) => [lead, ...beside].some(({ key }) => key === focus))
      }
      allowBack={content.allowBack || fixed}
      showProgress={content.showProgress}
      above={(at) => <SectionTitle shown={section.get(lines[at]?.lead.key ?? '')} withText />}
    >
      {(at) => lines[at] && <Together key={lines[at].lead.key} {...props} {...lines[at]} bare />}
    </OneByOne>
  );
}

/** The error of an answer; for an attached question, with its name. */
const messageOf = (one: Asked, lead: Asked, course: Course, message: string): string =>
  one === lead ? message : `${textOf(one, course)}: ${message}`;
const repeatOf = (shown: ShownSection | undefined): string => (shown?.repeat ? ` · ${shown.repeat.label}` : '');
const isAnswered = ({ na, value }: Asked): boolean => na || (value !== null && value !== undefined);

const isDone = (asked: Asked): boolean => !isAnsweredByPerson(asked.question.type) || isAnswered(asked);
const textOf = ({ question }: Asked, course: Course): string => withAnswers(question.text, course);
const sectionKey = ({ section, repeat }: ShownSection): string => `${section.code}#${repeat?.code ?? ''}`;

function SectionTitle({ shown, withText = false }: { shown: ShownSection | undefined; withText?: boolean }) {
  if (!shown) return null;
  const { title, description } = shown.section;
  return (
    <div className={styles.sectionHead}>
      <p className={styles.sectionName}>
        {title}
        {repeatOf(shown)}
      </p>
      {withText && description !== undefined && <p className={styles.hint}>{description}</p>}
    </div>
  );
}

function Sections(props: PartsProps) {
  const { id, course, content, faults, focus, fixed = false } = props;
  const { sections } = course;
  const [at, setAt] = useState(0);
  const [isChecked, setChecked] = useState(false);
  const head = useRef<HTMLHeadingElement>(null);
  const all = content.paging === 'all';
  const page = Math.min(at, sections.length - 1);
  const go = (next: number) => {
    setAt(next);
    requestAnimationFrame(() => {
      head.current?.focus({ preventScroll: true });
      head.current?.scrollIntoView?.({ block: 'nearest' });
    });
  };
  const show = useEffectEvent((key: string) => {
    const place = sections.findIndex(({ asked }) => asked.some((one) => one.key === key));
    if (place >= 0) setAt(place);
    requestAnimationFrame(() => document.getElementById(`${id}-${key}-text`)?.scrollIntoView?.({ block: 'nearest' }));
  });
  useEffect(() => {
    if (focus !== undefined) show(focus);
  }, [focus]);
  const { answered, of } = progressOf(course);
  const missing = course.asked.filter(({ key }) => faults.has(key));
  const last = all || page === sections.length - 1;
  const pages = all ? sections : sections.slice(page, page + 1);
  return (
    <div className={styles.questionnaire} role="group" aria-labelledby={`${id}-label`}>
      {content.showProgress && (
        <div className={styles.progress}>
          <progress max={of} value={answered} aria-label="Answered questions" />
          <span>
            {answered} of {of} answered
            {!all && sections.length > 1 && ` · Section ${page + 1} of ${sections.length}`}
          </span>
        </div>
      )}
      {pages.map((one, place) => (
        <section key={sectionKey(one)} className={styles.section}>
          <header className={styles.sectionHead}>
            <h3 ref={place === 0 ? head : undefined} tabIndex={-1} className={styles.sectionTitle}>
              {one.section.title}
              {one.repeat && ` · ${one.repeat.label}`}
            </h3>
            {one.section.description !== undefined && (
              <p className={styles.hint}>{withAnswers(one.section.description, course)}</p>
            )}
          </header>
          {togetherOf(one.asked).map((together) => (
            <Together key={together.lead.key} {...props} {...together} strict={isChecked} />
          ))}
        </section>
      ))}
      <div className={styles.buttons}>
        {!all && page > 0 && (content.allowBack || fixed) && (
          <button type="button" className={styles.button} onClick={() => go(page - 1)}>
            Back
          </button>
        )}
        {!last && (
          <button type="button" className={styles.button} data-primary="" onClick={() => go(page + 1)}>
            Next
          </button>
        )}
      </div>
      {last && !fixed && (
        <div className={styles.outcome} role="status">
          {missing.length === 0 ? (
            'Nothing is missing.'
          ) : (
            <>
              {missing.length === 1
                ? 'One question still needs an answer.'
                : `${missing.length} questions still need an answer.`}{' '}
              <button
                type="button"
                className={styles.link}
                onClick={() => {
                  setChecked(true);
                  const place = sections.findIndex(({ asked }) => asked.includes(missing[0]!));
                  go(Math.max(place, 0));
                  const target = `${id}-${missing[0]!.key}-text`;
                  requestAnimationFrame(() => document.getElementById(target)?.scrollIntoView?.({ block: 'center' }));
                }}
              >
                Show what is missing
              </button>
            </>
          )}
        </div>
      )}
    </div>
  );
}

/**
 * A question with its attached questions; rarely needed ones are expanded only if they are answered or have an error.
 */
function Together({ lead, beside, ...props }: PartsProps & QuestionGroup & { bare?: boolean; strict?: boolean }) {
  const { bare: _, ...others } = props;
  const { course, faults, fixed = false } = props;
  const open = beside.filter((one) => one.question.beside !== 'folded' && (!fixed || isAnswered(one)));
  const folded = beside.filter(({ question }) => question.beside === 'folded');
  const filled = folded.filter(isAnswered);
  const shown = fixed ? filled : folded;
  return (
    <div className={styles.together}>
      <Question {...props} asked={lead} />
      {open.map((one) => (
        <Question key={one.key} {...others} asked={one} strict={others.strict === true || isAnswered(lead)} />
      ))}
      {shown.length > 0 && (
        <details className={styles.folded} open={filled.length > 0 || folded.some(({ key }) => faults.has(key))}>
          <summary>{shown.map((one) => textOf(one, course)).join(', ')}</summary>
          {shown.map((one) => (
            <Question key={one.key} {...others} asked={one} />
          ))}
        </details>
      )}
    </div>
  );
}

/** One question with its text, its control, and its error. */
function Question({
  asked,
  bare = false,
  strict = false,
  ...props
}: PartsProps & { asked: Asked; bare?: boolean; strict?: boolean }) {
  const { course, faults, fixed = false, seed, Files, Picture, onAnswer } = props;
  const { question, key, required, na } = asked;
  const id = `${props.id}-${key.replace('#', '-')}`;
  if (question.type === 'hidden') return null;
  const fault = faults.get(key);
  const message = fault !== undefined && (strict || isDone(asked)) ? fault : undefined;
  const text = textOf(asked, course);
  return (
    <div className={styles.question} data-question={question.code}>
      <div id={`${id}-text`} className={bare ? styles.unseen : styles.text}>
        {text}
        {required && (
          <span className={styles.star} aria-hidden>
            {' *'}
          </span>
        )}
      </div>
      {question.help !== undefined && <p className={styles.hint}>{withAnswers(question.help, course)}</p>}
      {!na && (
        <QuestionInput
          asked={asked}
          id={id}
          fixed={fixed}
          invalid={message !== undefined}
          seed={seed}
          onChange={(value) => onAnswer(key, { value })}
          Files={Files}
          Picture={Picture}
        />
      )}
      {question.mayBeNa && (
        <label className={styles.na}>
          <input
            type="checkbox"
            checked={na}
            disabled={fixed}
            aria-label={`${text}: not applicable`}
            onChange={({ target }) => onAnswer(key, { value: null, na: target.checked })}
          />
          Not applicable
        </label>
      )}
      <div id={`${id}-message`} className={styles.message}>
        {message}
      </div>
    </div>
  );
}
