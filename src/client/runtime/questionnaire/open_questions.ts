import { complete } from '../../../domain/questionnaire/completion.ts';
import type { Answer, Answers, Questionnaire } from '../../../domain/questionnaire/question.ts';
import { seedOf } from '../../../domain/questionnaire/shuffle.ts';
import { api } from '../../api/http.ts';
import { bringBackAnswers, waitingAnswers } from './answers_on_the_way.ts';

interface Sheet {
  version: { content: Questionnaire } | null;
  answers: (Answer & { code: string; late: boolean })[];
  attributes: Record<string, unknown>;
}

/**
 * The number of unanswered questions in a record's questionnaire. Unsent answers count as given; offline, the downloaded
 * questionnaire is used.
 * @throws ApiError
 */
export async function openQuestions(type: string, id: number, field: string): Promise<number> {
  const address = `/tapi/${type}/${id}/answers/${field}`;
  await bringBackAnswers();
  // Read first: what is sent meanwhile is in neither otherwise.
  const waiting = waitingAnswers(address);
  const { data } = await api.get<{ data: Sheet }>(address, undefined, { quiet: true });
  if (!data.version) return 0;
  const stored = data.answers.filter(({ late }) => !late);
  const answers: Answers = Object.fromEntries(
    [...stored, ...waiting].map(({ code, value, na }) => [code, { value, ...(na && { na }) }]),
  );
  return complete(data.version.content, answers, { seed: seedOf(type, id), attributes: data.attributes }).faults.length;
}
