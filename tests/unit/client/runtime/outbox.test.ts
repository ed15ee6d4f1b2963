import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, api } from '../../../../src/client/api/http.ts';
import { removeAct, storedActs } from '../../../../src/client/runtime/offline/device_store.ts';
import { decideAct, keepAct, sendOutbox, waitingActs } from '../../../../src/client/runtime/offline/outbox.ts';

const change = (id: number, input: object) =>
  keepAct({ type: 'visit', id, title: `Visit ${id}`, do: 'change', input: input as Record<string, unknown> });
const post = vi.spyOn(api, 'post');
type Sent = { key: string; id: number; do: string; input: Record<string, unknown> }[];
/** What each call sent, and what it is answered. */
const calls: Sent[] = [];
const answers = (...each: ((acts: Sent) => unknown[])[]) => {
  for (const answer of each)
    post.mockImplementationOnce((_path, body) => {
      const { acts } = body as { acts: Sent };
      calls.push(acts);
      return Promise.resolve({ data: answer(acts) });
    });
};
const done = (acts: Sent) => acts.map(({ key }) => ({ key, state: 'done' }));

beforeEach(async () => {
  for (const { seq } of await storedActs()) await removeAct(seq);
  calls.length = 0;
  post.mockReset();
  post.mockRejectedValue(new ApiError(0, 'offline', 'You are offline!'));
});

describe('the outbox of a device', () => {
  it('keeps acts in order while nothing answers, and sends the same keys again', async () => {
    await change(1, { found: [null, 'a'] });
    await change(1, { found: ['a', 'b'] });
    await keepAct({ type: 'visit', id: 1, title: 'Visit 1', do: 'leave', input: {} });
    await sendOutbox();
    expect(waitingActs.get()).toHaveLength(3);
    const keys = waitingActs.get().map(({ key }) => key);
    answers(done);
    await sendOutbox();
    expect(calls[0]!.map(({ key }) => key)).toEqual(keys);
    expect(calls[0]!.map((act) => act.do)).toEqual(['change', 'change', 'leave']);
    expect(waitingActs.get()).toEqual([]);
  });

  it('holds what follows on a record that needs its person, and goes on with the others', async () => {
    await change(1, { found: [null, 'mine'], place: [null, 'here'] });
    await keepAct({ type: 'visit', id: 1, title: 'Visit 1', do: 'leave', input: {} });
    await change(2, { found: [null, 'x'] });
    answers(([first, second, third]) => [
      { key: first!.key, state: 'needs_you', message: 'Changed.', theirs: { found: 'theirs' } },
      { key: second!.key, state: 'waits' },
      { key: third!.key, state: 'done' },
    ]);
    await sendOutbox();
    expect(calls).toHaveLength(1);
    expect(waitingActs.get()).toMatchObject([{ needs: { theirs: { found: 'theirs' } } }, { do: 'leave' }]);

    answers(done);
    await decideAct(waitingActs.get()[0]!, 'mine');
    expect(calls[1]).toMatchObject([
      { input: { found: ['theirs', 'mine'], place: [null, 'here'] } },
      { do: 'leave', input: {} },
    ]);
    expect(calls[1]![0]!.key).not.toBe(calls[0]![0]!.key);
    expect(waitingActs.get()).toEqual([]);
  });

  it('takes the values of the others and keeps the rest, or forgets what is refused', async () => {
    await change(1, { found: [null, 'mine'], place: [null, 'here'] });
    await keepAct({ type: 'visit', id: 2, title: 'Visit 2', do: 'leave', input: {} });
    answers(([first, second]) => [
      { key: first!.key, state: 'needs_you', message: 'Changed.', theirs: { found: 'theirs' } },
      { key: second!.key, state: 'needs_you', message: 'It is over.', theirs: {} },
    ]);
    await sendOutbox();
    answers(done);
    await decideAct(waitingActs.get()[0]!, 'theirs');
    expect(calls[1]).toMatchObject([{ input: { place: [null, 'here'] } }]);
    await decideAct(waitingActs.get()[0]!, 'theirs');
    expect(waitingActs.get()).toEqual([]);
    expect(calls).toHaveLength(2);
  });
});
