import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Answer, Answers, Questionnaire as Content } from '../../../domain/questionnaire/question.ts';
import { seedOf } from '../../../domain/questionnaire/shuffle.ts';
import { api } from '../../api/http.ts';
import { usePhone } from '../../app/session.ts';
import { toast } from '../../app/feedback.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import type { FieldHost, WidgetProps } from '../fields/widget.ts';
import { useFieldHost } from '../fields/widget.ts';
import type { Waiting } from './answer_queue.ts';
import { AnswerQueue } from './answer_queue.ts';
import { answersKey, bringBackAnswers, joinAnswers, keepAnswers, saveAnswers } from './answers_on_the_way.ts';
import { Questionnaire } from './Questionnaire.tsx';
import styles from './questionnaire.module.css';
import { Standing } from './Standing.tsx';
import { storedFiles } from './StoredFiles.tsx';
import { StoredPicture } from './StoredPicture.tsx';

interface Kept extends Answer {
  code: string;
  at: string;
  late: boolean;
}
interface Sheet {
  version: { id: number; version_no: number; content: Content } | null;
  answers: Kept[];
  editable: boolean;
  locked: string | null;
  attributes: Record<string, unknown>;
  /** Shown before and after the questions. */
  texts: { intro: string | null; thanks: string | null };
}

/** The questionnaire of a record: each answer is saved as soon as it is given. */
export default function AnswersWidget(props: WidgetProps) {
  const host = useFieldHost();
  const id = host?.values().id;
  if (!host || typeof id !== 'number' || id < 1)
    return <p className={styles.hint}>Save first. The questions are answered on the page of the record.</p>;
  return <Loaded key={id} {...props} host={host} record={id} />;
}

function Loaded({ host, record, ...props }: WidgetProps & { host: FieldHost; record: number }) {
  const { field } = props;
  const address = `/tapi/${host.screen.name}/${record}/answers/${field.name}`;
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  // A transition or change of the record may open or close the questions.
  const version = host.values().version;
  useEffect(() => {
    const stop = new AbortController();
    // The queue takes what the browser kept: all of it must be there first.
    bringBackAnswers()
      .then(() => api.get<{ data: Sheet }>(address, undefined, { quiet: true, signal: stop.signal }))
      .then(({ data }) => setSheet(data))
      .catch((thrown: unknown) => !stop.signal.aborted && setError(thrown));
    return () => stop.abort();
  }, [address, turn, version]);
  if (error !== null)
    return (
      <ErrorView
        error={error}
        title="The questions could not be loaded."
        retry={() => {
          setError(null);
          setTurn((old) => old + 1);
        }}
      />
    );
  if (!sheet) return <Skeleton rows={4} />;
  if (!sheet.version) return <p className={styles.hint}>This questionnaire is not published yet.</p>;
  return (
    <Answering {...props} host={host} record={record} address={address} sheet={sheet} content={sheet.version.content} />
  );
}

function Answering({
  field,
  id,
  host,
  record,
  address,
  sheet,
  content,
}: WidgetProps & { host: FieldHost; record: number; address: string; sheet: Sheet; content: Content }) {
  const phone = usePhone();
  const [given, setGiven] = useState<Readonly<Record<string, Answer>>>({});
  const { entityId } = host;
  const queue = useMemo(() => {
    const key = answersKey(address);
    const send = async (answers: Waiting[]) => {
      const { data } = await saveAnswers<{ data: { refused: { field: string; message: string }[]; answers: Kept[] } }>(
        address,
        answers,
        entityId,
      );
      for (const { message } of data.refused) toast.error(message);
    };
    return new AnswerQueue(key, send, (answers) => void keepAnswers(key, answers));
  }, [address, entityId]);
  useEffect(() => {
    const leave = joinAnswers(answersKey(address), () => queue.flush());
    return () => {
      leave();
      queue.close();
    };
  }, [queue, address]);
  const state = useSyncExternalStore(queue.subscribe, () => queue.state);
  const answers = useMemo<Answers>(() => {
    const stored = sheet.answers.filter(({ late }) => !late).map(({ code, value, na }) => [code, { value, na }]);
    return { ...(Object.fromEntries(stored) as Answers), ...Object.fromEntries(queue.waiting), ...given };
  }, [sheet, queue, given]);
  const Files = useMemo(() => storedFiles(field), [field]);
  const answer = useCallback(
    (key: string, value: Answer) => {
      setGiven((before) => ({ ...before, [key]: value }));
      queue.add(key, value);
    },
    [queue],
  );
  const late = sheet.answers.filter((one) => one.late);
  return (
    <div className={styles.answers}>
      {sheet.texts.intro !== null && <p className={styles.words}>{sheet.texts.intro}</p>}
      {sheet.locked !== null && sheet.answers.length === 0 && <p className={styles.hint}>{sheet.locked}</p>}
      <Questionnaire
        id={id}
        content={content}
        answers={answers}
        attributes={sheet.attributes}
        seed={seedOf(host.screen.name, record)}
        fixed={!sheet.editable}
        phone={phone && sheet.editable}
        onAnswer={answer}
        Files={Files}
        Picture={StoredPicture}
      />
      {sheet.texts.thanks !== null && !sheet.editable && sheet.answers.length > 0 && (
        <p className={styles.words}>{sheet.texts.thanks}</p>
      )}
      {sheet.editable && <Standing state={state} retry={() => void queue.flush()} />}
      {late.length > 0 && (
        <p className={styles.hint}>
          {late.length === 1 ? 'One answer' : `${late.length} answers`} came after this was handed in and{' '}
          {late.length === 1 ? 'does' : 'do'} not count.
        </p>
      )}
    </div>
  );
}
