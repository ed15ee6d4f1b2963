import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { PublicAct, PublicQuestions, PublicView } from '../../descriptor/public_page.ts';
import type { Answer, Answers } from '../../domain/questionnaire/question.ts';
import type { Waiting } from '../runtime/questionnaire/answer_queue.ts';
import { AnswerQueue } from '../runtime/questionnaire/answer_queue.ts';
import { Questionnaire } from '../runtime/questionnaire/Questionnaire.tsx';
import { Standing } from '../runtime/questionnaire/Standing.tsx';
import { publicFiles } from './PublicFiles.tsx';
import type { PublicRefusal } from './public_calls.ts';
import { fileOf, sendAnswers, sendPage } from './public_calls.ts';

const PHONE = '(width <= 640px)';

interface PublicQuestionnaireProps {
  token: string;
  questions: PublicQuestions;
  /** Hands the answers in. */
  act: PublicAct;
  onDone: (view: PublicView) => void;
}

/** A questionnaire that is answered by a link: each answer is kept as it is given, and all are handed in at the end. */
export default function PublicQuestionnaire({ token, questions, act, onDone }: PublicQuestionnaireProps) {
  const { content, attributes, seed } = questions;
  const [given, setGiven] = useState<Readonly<Record<string, Answer>>>({});
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<PublicRefusal | null>(null);
  const [busy, setBusy] = useState(false);
  const [focus, setFocus] = useState<string>();
  const [phone] = useState(() => matchMedia(PHONE).matches);
  const key = useRef(crypto.randomUUID());
  const queue = useMemo(
    () =>
      // The beginning of the token tells answers of two links apart, and opens nothing.
      new AnswerQueue(`answers.link.${token.slice(0, 8)}`, async (answers: Waiting[]) => {
        setNotes((await sendAnswers(token, answers)).map(({ message }) => message));
      }),
    [token],
  );
  useEffect(() => () => queue.close(), [queue]);
  const state = useSyncExternalStore(queue.subscribe, () => queue.state);
  const answers = useMemo<Answers>(() => {
    const stored = questions.answers.map(({ code, value, na }) => [code, { value, na }]);
    return { ...(Object.fromEntries(stored) as Answers), ...Object.fromEntries(queue.waiting), ...given };
  }, [questions, queue, given]);
  const Files = useMemo(() => publicFiles(token), [token]);
  const Picture = useMemo(
    () =>
      function LinkedPicture({
        image,
        label,
        className,
      }: {
        image: number;
        label: string;
        className: string | undefined;
      }) {
        return <img className={className} src={fileOf(token, image)} alt={label} />;
      },
    [token],
  );
  const answer = useCallback(
    (code: string, value: Answer) => {
      setGiven((before) => ({ ...before, [code]: value }));
      setRefusal(null);
      queue.add(code, value);
    },
    [queue],
  );
  const finish = async () => {
    if (busy) return;
    setBusy(true);
    // A box that is left by this press hands on its text first.
    await new Promise((done) => setTimeout(done));
    await queue.flush();
    const got =
      queue.waiting.size > 0
        ? {
            refusal: {
              code: 'offline',
              message: 'Some answers are not sent yet. Try again when you are online.',
              fields: {},
            },
          }
        : await sendPage(token, act.name, {}, key.current);
    setBusy(false);
    if ('view' in got) return onDone(got.view);
    // Another attempt may say something else.
    key.current = crypto.randomUUID();
    setRefusal(got.refusal);
    const [first] = Object.keys(got.refusal.fields);
    setFocus(first?.split('.').slice(1).join('.'));
  };
  return (
    <section className="asking" aria-label="Questions">
      <span id="questions-label" hidden>
        Questions
      </span>
      <Questionnaire
        id="questions"
        content={content}
        answers={answers}
        attributes={attributes}
        seed={seed}
        phone={phone}
        onAnswer={answer}
        Files={Files}
        Picture={Picture}
        focus={focus}
      />
      {notes.map((note) => (
        <p key={note} className="wrong" role="alert">
          {note}
        </p>
      ))}
      {refusal && (
        <div className="wrong" role="alert">
          {Object.keys(refusal.fields).length > 0 ? 'Something is missing or wrong:' : refusal.message}
          <ul>
            {Object.values(refusal.fields).map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      <Standing state={state} retry={() => void queue.flush()} />
      <button type="button" className="finish" aria-disabled={busy} onClick={() => void finish()}>
        {busy ? 'Sending…' : act.title}
      </button>
    </section>
  );
}
