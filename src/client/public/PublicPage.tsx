import { Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import type { PublicView } from '../../descriptor/public_page.ts';
import { PublicForm } from './PublicForm.tsx';
import { ShownBlock } from './ShownBlock.tsx';
import { begunBy, noteBegun } from './begun_pages.ts';
import type { PublicRefusal } from './public_calls.ts';
import { readPage } from './public_calls.ts';

const PublicQuestionnaire = lazy(() => import('./PublicQuestionnaire.tsx'));

/** The page of a link for people without an account: its subject and the possible actions. */
export function PublicPage({ token }: { token: string }) {
  const [view, setView] = useState<PublicView | null>(null);
  const [refusal, setRefusal] = useState<PublicRefusal | null>(null);
  const [tries, setTries] = useState(0);
  const done = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    let isOn = true;
    void readPage(token).then((answer) => {
      if (!isOn) return;
      if ('refusal' in answer) setRefusal(answer.refusal);
      else {
        document.title = answer.view.title;
        setRefusal(null);
        setView(answer.view);
      }
    });
    return () => {
      isOn = false;
    };
  }, [token, tries]);
  const isDone = view !== null && view.done !== null;
  // Announces the result to screen readers.
  useEffect(() => {
    if (isDone) done.current?.focus();
  }, [isDone]);
  // A started process has its own link, so that its page can be opened again, also on another device.
  const take = useCallback(
    (next: PublicView) => {
      if (next.next === null) return setView(next);
      noteBegun(token, next.next);
      if (next.done !== null) return setView(next);
      location.replace(next.next);
    },
    [token],
  );
  const again = useCallback(() => setTries((now) => now + 1), []);

  if (!view)
    return (
      <main className="page" aria-busy={refusal === null}>
        {refusal === null ? (
          <p role="status">Loading…</p>
        ) : (
          <>
            <h1>{refusal.code === 'done' ? 'Done already' : 'Nothing to see here'}</h1>
            <p role="alert">{refusal.message}</p>
            {refusal.code !== 'not_found' && refusal.code !== 'done' && refusal.code !== 'closed' && (
              <button type="button" className="quiet" onClick={again}>
                Try again
              </button>
            )}
          </>
        )}
      </main>
    );
  const { title, from, text, blocks, prints, acts, questions } = view;
  const begun = questions === null && !isDone ? begunBy(token) : null;
  return (
    <main className="page">
      {from && (
        <header className="from">
          <strong>{from.name}</strong>
          {from.lines.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </header>
      )}
      <h1>{title}</h1>
      {isDone && (
        <p className="done" role="status" tabIndex={-1} ref={done}>
          {view.done}
        </p>
      )}
      {isDone && view.next !== null && (
        <p className="begun">
          <a href={view.next}>Follow its progress</a>
        </p>
      )}
      {text !== null && !isDone && <p className="lead">{text}</p>}
      {blocks.map((block, at) => (
        <ShownBlock key={at} block={block} />
      ))}
      {prints.length > 0 && (
        <ul className="prints" aria-label="Documents">
          {prints.map((print) => (
            <li key={print.name}>
              <a href={`/papi/${token}/print/${print.name}.pdf`} target="_blank" rel="noreferrer">
                {print.title} (PDF)
              </a>
            </li>
          ))}
        </ul>
      )}
      {begun !== null && (
        <p className="begun">
          <a href={begun}>
            {acts[0]?.title === 'Send' ? 'Follow what you sent last' : 'Continue the answers started in this browser'}
          </a>
        </p>
      )}
      {acts.map((act) =>
        questions ? (
          <Suspense key={act.name} fallback={<p role="status">Loading…</p>}>
            <PublicQuestionnaire token={token} questions={questions} act={act} onDone={take} />
          </Suspense>
        ) : (
          <PublicForm key={act.name} token={token} act={act} onDone={take} />
        ),
      )}
    </main>
  );
}
