import { useCallback, useMemo, useState } from 'react';
import { complete } from '../../../../domain/questionnaire/completion.ts';
import type { Finding } from '../../../../domain/questionnaire/publish_check.ts';
import type { Answer, Questionnaire as Content } from '../../../../domain/questionnaire/question.ts';
import { Questionnaire } from '../Questionnaire.tsx';
import { StoredPicture } from '../StoredPicture.tsx';
import styles from './builder.module.css';
import type { Place } from './places.ts';

interface PreviewProps {
  content: Content;
  findings: readonly Finding[];
  /** Code of the question being edited. */
  focus: string | undefined;
  onPlace: (place: Place) => void;
}

const SEED = 'preview';

/** A preview of the questionnaire, with the errors that prevent publication. Answers are not saved. */
export function Preview({ content, findings, focus, onPlace }: PreviewProps) {
  const [answers, setAnswers] = useState<Readonly<Record<string, Answer>>>({});
  const [narrow, setNarrow] = useState(false);
  const answer = useCallback((key: string, value: Answer) => setAnswers((before) => ({ ...before, [key]: value })), []);
  const { score } = useMemo(() => complete(content, answers, { seed: SEED }), [content, answers]);
  return (
    <aside className={styles.preview} aria-label="Preview">
      <div className={styles.previewHead}>
        <h2 id="preview-label">Preview</h2>
        {score !== null && <span>Index {score}</span>}
        <label>
          <input type="checkbox" checked={narrow} onChange={({ target }) => setNarrow(target.checked)} /> On a phone
        </label>
        <button type="button" className={styles.button} onClick={() => setAnswers({})}>
          Start again
        </button>
      </div>
      {findings.length > 0 && (
        <ul className={styles.findings} aria-label="Before it can be published">
          {findings.map(({ section, question, message }) => (
            <li key={`${section} ${question ?? ''} ${message}`}>
              <button type="button" onClick={() => onPlace({ section, question })}>
                {message}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.paper} data-narrow={narrow ? '' : undefined}>
        <Questionnaire
          key={String(narrow)}
          id="preview"
          content={content}
          answers={answers}
          seed={SEED}
          phone={narrow}
          Picture={StoredPicture}
          onAnswer={answer}
          focus={focus}
        />
      </div>
    </aside>
  );
}
