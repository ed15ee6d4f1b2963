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
  /** Submits the answers. */
  act: PublicAct;
  onDone: (view: PublicView) => void;
}

function draftOf(key: string): Readonly<Record<string, Answer>> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, Answer>;
  } catch {
    return {};
  }
}

function keepDraft(key: string, answers: Readonly<Record<string, Answer>>): void {
  try {
    if (Object.keys(answers).length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(answers));
  } catch {
    // The browser does not store anything: the answers last until the page is closed.
  }
}

/** A questionnaire answered through a link: each answer is saved at once, and all are submitted at the end. */
export default function PublicQuestionnaire({ token, questions, act, onDone }: PublicQuestionnaireProps) {
  const { content, attributes, seed, least } = questions;
  const apart = least !== null;
  const draft = `draft.link.${token.slice(0, 8)}`;
  const [given, setGiven] = useState<Readonly<Record<string, Answer>>>(() => (apart ? draftOf(draft) : {}));
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<PublicRefusal | null>(null);
  const [busy, setBusy] = useState(false);
  const [focus, setFocus] = useState<string>();
  const [phone] = useState(() => matchMedia(PHONE).matches);
  const key = useRef(crypto.randomUUID());
  const queue = useMemo(
    () =>
      // The start of the token distinguishes the answers of two links, without giving access.
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
  // Anonymous answers stay in the browser until they are submitted.
  useEffect(() => {
    if (apart) keepDraft(draft, given);
  }, [apart, draft, given]);
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
      if (!apart) queue.add(code, value);
    },
    [queue, apart],
  );
  const latest = useRef(given);
  latest.current = given;
  const finish = async () => {
    if (busy) return;
    setBusy(true);
    // A field that loses the focus by this click must store its text first.
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
        : await sendPage(
            token,
            act.name,
            {},
            key.current,
            apart ? Object.entries(latest.current).map(([code, one]) => ({ code, ...one })) : undefined,
          );
    setBusy(false);
    if ('view' in got) {
      if (apart) keepDraft(draft, {});
      return onDone(got.view);
    }
    // A retry may return a different message.
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
      {apart ? (
        <p className="help">
          Your answers are anonymous: no name and no time is kept with them, and nothing is shown of fewer than {least}{' '}
          people. Until you send them they are in this browser alone.
        </p>
      ) : (
        <Standing state={state} retry={() => void queue.flush()} />
      )}
      <button type="button" className="finish" aria-disabled={busy} onClick={() => void finish()}>
        {busy ? 'Sending…' : act.title}
      </button>
    </section>
  );
}
