import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './one_by_one.module.css';

/** A question in the list of all questions. */
export interface QuestionLine {
  key: string | number;
  text: string;
  /** The answer as text. */
  answer: string;
  isAnswered: boolean;
  /** Read-only: it is not asked. Default: it is asked. */
  counts?: boolean;
  /** The error of the answer. */
  messages: readonly string[];
}

interface OneByOneProps {
  labelledBy: string;
  lines: readonly QuestionLine[];
  /** A question to show; when it changes, it is shown again. */
  wrong?: number | undefined;
  allowBack?: boolean;
  showProgress?: boolean;
  /** The content above a question. */
  above?: (at: number) => ReactNode;
  /** Called before another question is shown. */
  beforeGo?: () => void;
  /** The controls of a question. */
  children: (at: number) => ReactNode;
}

const firstOpen = (lines: readonly QuestionLine[]): number => lines.findIndex(({ isAnswered }) => !isAnswered);

/**
 * Questions one at a time, and a list of all answers at the end. Plain elements, because pages without an account use
 * them too.
 */
export function OneByOne({
  labelledBy,
  lines,
  wrong,
  allowBack = true,
  showProgress = true,
  above,
  beforeGo,
  children,
}: OneByOneProps) {
  /** The question shown; null = all answers. */
  const [at, setAt] = useState<number | null>(() => {
    const open = firstOpen(lines);
    return open < 0 ? null : open;
  });
  useEffect(() => {
    if (wrong !== undefined && wrong >= 0) setAt(wrong);
  }, [wrong]);
  const counted = lines.filter(({ counts }) => counts !== false);
  const answered = counted.filter(({ isAnswered }) => isAnswered).length;
  const shown = at === null ? null : Math.min(at, lines.length - 1);
  const head = useRef<HTMLHeadingElement>(null);
  const go = (next: number | null) => {
    beforeGo?.();
    setAt(next);
    // The next question is announced, and shown from the top.
    requestAnimationFrame(() => {
      head.current?.focus({ preventScroll: true });
      head.current?.scrollIntoView?.({ block: 'nearest' });
    });
  };
  return (
    <div className={styles.questions} role="group" aria-labelledby={labelledBy}>
      {showProgress && (
        <div className={styles.progress}>
          <progress max={counted.length} value={answered} aria-label="Answered questions" />
          <span>
            {answered} of {counted.length} answered
          </span>
        </div>
      )}
      {shown === null ? (
        <>
          <h3 ref={head} tabIndex={-1} className={styles.question}>
            {answered === counted.length ? 'All questions are answered' : 'All questions'}
          </h3>
          <ul className={styles.review}>
            {lines.map((line, index) => (
              <li key={line.key}>
                <button type="button" className={styles.line} onClick={() => go(index)}>
                  <span className={line.isAnswered ? styles.done : styles.open} aria-hidden>
                    {line.isAnswered ? '✓' : '○'}
                  </span>
                  <span className={styles.lineText}>
                    <span>{line.text}</span>
                    {line.counts !== false && <span className={styles.answer}>{line.answer || 'Not answered'}</span>}
                    {line.messages.map((message) => (
                      <span key={message} className={styles.wrong}>
                        {message}
                      </span>
                    ))}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {answered < counted.length && (
            <button type="button" data-primary="" onClick={() => go(firstOpen(lines))}>
              Next open question
            </button>
          )}
        </>
      ) : (
        <>
          {above?.(shown)}
          <p className={styles.count}>
            Question {shown + 1} of {lines.length}
          </p>
          <h3 ref={head} tabIndex={-1} className={styles.question}>
            {lines[shown]?.text}
          </h3>
          {children(shown)}
          <div className={styles.buttons}>
            <button type="button" disabled={shown === 0 || !allowBack} onClick={() => go(shown - 1)}>
              Back
            </button>
            {allowBack && (
              <button type="button" onClick={() => go(null)}>
                All
              </button>
            )}
            <button type="button" data-primary="" onClick={() => go(shown < lines.length - 1 ? shown + 1 : null)}>
              {shown < lines.length - 1 ? 'Next' : 'Review'}
            </button>
          </div>
        </>
      )}
    </div>
  );
}
