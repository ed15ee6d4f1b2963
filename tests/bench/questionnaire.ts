import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

const PEOPLE = 200;
const SECTIONS = 6;
const QUESTIONS = 10;
/** Nobody reads and answers a question faster, in ms. */
const PAUSE = { min: 1_000, max: 3_000 };

type Row = Record<string, unknown>;

/** Questions of several kinds, some of them with a condition. */
const question = (section: number, at: number): Row => {
  const code = `q${section}_${at}`;
  const text = `Question ${at + 1} of part ${section + 1}`;
  const kinds: Row[] = [
    { question_type: 'nps' },
    { question_type: 'yes_no' },
    { question_type: 'rating', ...(at > 0 && { visible_if: `q${section}_0 >= 0` }) },
    { question_type: 'short_text' },
    { question_type: 'number' },
  ];
  return { code, text, required: true, ...kinds[at % kinds.length] };
};
const VALUES: readonly unknown[] = [9, 'yes', 4, 'All was well.', 12];

/** Lets all who answer come from one address, as they do here. */
export function oneAddress(schemas: string): void {
  const file = join(schemas, 'act/survey_answer.json');
  const descriptor = JSON.parse(readFileSync(file, 'utf8')) as { public: { limit: Row } };
  descriptor.public.limit.address_minute = 100_000;
  writeFileSync(file, JSON.stringify(descriptor));
}

/** 200 people answer a public questionnaire of 60 questions at once: how long each waits until an answer is kept. */
export async function questionnaireBench(
  port: number,
  headers: Record<string, string>,
): Promise<[string, string, string][]> {
  const agent = new Agent({ keepAlive: true, maxSockets: PEOPLE });
  const host = `demo.localhost:${port}`;
  const call = <T = Row>(method: string, path: string, body?: object, more: Record<string, string> = {}): Promise<T> =>
    new Promise((done, fail) => {
      const text = body && JSON.stringify(body);
      const sent = request(
        {
          agent,
          port,
          host: '127.0.0.1',
          method,
          path,
          headers: { host, ...(text && { 'content-type': 'application/json' }), ...more },
        },
        (answer) => {
          let got = '';
          answer.setEncoding('utf8');
          answer.on('data', (part: string) => (got += part));
          answer.on('end', () =>
            (answer.statusCode ?? 500) < 300
              ? done((JSON.parse(got) as { data: T }).data)
              : fail(new Error(`${method} ${path}: ${answer.statusCode} ${got}`)),
          );
        },
      );
      sent.on('error', fail);
      sent.end(text);
    });
  const inside = { authorization: headers.Authorization! };
  const first = async (type: string) =>
    (await call<{ id: number }[]>('GET', `/tapi/${type}?size=1`, undefined, inside))[0]!.id;
  const draft = await call<{ id: number; version: number }>(
    'POST',
    '/tapi/survey',
    {
      title: 'Bench',
      type_of_questionaire_id: await first('type_of_questionaire'),
      audience: 'open',
      owner_id: await first('employee'),
      sections: Array.from({ length: SECTIONS }, (_, section) => ({
        code: `s${section}`,
        title: `Part ${section + 1}`,
        questions: Array.from({ length: QUESTIONS }, (_, at) => question(section, at)),
      })),
    },
    inside,
  );
  await call('POST', `/tapi/survey/${draft.id}/publish`, { version: draft.version }, inside);
  const [link] = await call<{ address: string }[]>('POST', `/tapi/survey/${draft.id}/public`, {}, inside);
  const open = link!.address.split('/').at(-1)!;
  const waits: number[] = [];
  const pages: number[] = [];
  const person = async (who: number): Promise<void> => {
    const pause = () => new Promise((done) => setTimeout(done, PAUSE.min + Math.random() * (PAUSE.max - PAUSE.min)));
    const key = { 'idempotency-key': `bench-${who}-${Date.now()}` };
    await pause();
    const begun = await call<{ next: string }>(
      'POST',
      `/papi/${open}`,
      { act: null, values: { respondent: `P${who}` } },
      key,
    );
    const token = begun.next.split('/').at(-1)!;
    const opened = performance.now();
    await call('GET', `/papi/${token}`);
    pages.push(performance.now() - opened);
    for (let section = 0; section < SECTIONS; section++)
      for (let at = 0; at < QUESTIONS; at++) {
        await pause();
        const from = performance.now();
        const { refused } = await call<{ refused: unknown[] }>('PATCH', `/papi/${token}`, {
          answers: [
            {
              code: `q${section}_${at}`,
              value: VALUES[at % VALUES.length],
              at: new Date().toISOString(),
              client: `c${who}`,
              seq: section * QUESTIONS + at,
            },
          ],
        });
        waits.push(performance.now() - from);
        if (refused.length > 0) throw new Error(JSON.stringify(refused));
      }
    await call('POST', `/papi/${token}`, { act: 'hand_in', values: {} }, { 'idempotency-key': `bench-end-${who}` });
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: PEOPLE }, (_, who) => person(who)));
  const seconds = (performance.now() - from) / 1000;
  agent.destroy();
  const { answered } = await call<{ answered: number }>('GET', `/tapi/survey/${draft.id}/results`, undefined, inside);
  if (answered !== PEOPLE) throw new Error(`${answered} of ${PEOPLE} are handed in`);
  const part = (values: number[], share: number) =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length * share)]!.toFixed(0);
  const what = `${PEOPLE} people, ${SECTIONS * QUESTIONS} questions each, ${(waits.length / seconds).toFixed(0)} answers a second`;
  return [
    [`${what}: an answer is kept, p95`, `${part(waits, 0.95)} ms, median ${part(waits, 0.5)} ms`, '≤ 200 ms'],
    [`${what}: the page with all questions, p95`, `${part(pages, 0.95)} ms`, ''],
  ];
}
