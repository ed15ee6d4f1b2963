import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, api } from '../../../../src/client/api/http.ts';
import {
  answersOnDevice,
  fileNumbers,
  fileOnDevice,
  removeAct,
  removeFile,
  storeAnswers,
  storedActs,
} from '../../../../src/client/runtime/offline/device_store.ts';
import {
  byContent,
  keepFile,
  removeFilesOf,
  withFilesSent,
} from '../../../../src/client/runtime/offline/waiting_files.ts';
import {
  answersKey,
  bringBackAnswers,
  filesOfAnswers,
} from '../../../../src/client/runtime/questionnaire/answers_on_the_way.ts';
import { ON_DEVICE } from '../../../../src/client/runtime/fields/files/stored_file.ts';
import type { Field } from '../../../../src/descriptor/types.ts';
import { currentSession, forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import { keepWrite } from '../../../../src/client/runtime/offline/keep_write.ts';
import { depotScreen, field } from './screen_fixture.ts';
import {
  decideAct,
  keepAct,
  sendEdited,
  sendOutbox,
  syncRefused,
  waitingActs,
} from '../../../../src/client/runtime/offline/outbox.ts';

const change = (id: number, input: object) =>
  keepAct({ type: 'visit', id, title: `Visit ${id}`, do: 'change', input: input as Record<string, unknown> });
const post = vi.spyOn(api, 'post');
const given = vi.spyOn(api, 'delete');
type Sent = { key: string; id: number; do: string; input: Record<string, unknown> }[];
/** What each call sent, and what it is answered. */
const calls: Sent[] = [];
const answers = (...each: ((acts: Sent) => unknown[])[]) => {
  for (const answer of each)
    post.mockImplementationOnce((path, body) => {
      expect(path).toBe('/tapi/offline');
      const { acts } = body as { acts: Sent };
      calls.push(acts);
      return Promise.resolve({ data: answer(acts) });
    });
};
const done = (acts: Sent) => acts.map(({ key }) => ({ key, state: 'done' }));

beforeEach(async () => {
  for (const { seq } of await storedActs()) await removeAct(seq);
  for (const id of await fileNumbers()) await removeFile(id);
  calls.length = 0;
  given.mockReset();
  given.mockResolvedValue(undefined);
  post.mockReset();
  post.mockRejectedValue(new ApiError(0, 'offline', 'You are offline!'));
});

describe('the outbox of a device', () => {
  it('keeps acts in order while offline, and resends the same keys', async () => {
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

  it('added rows are a separate act from changed fields', async () => {
    const photos = field('photos', 'rows', { rows: [field('shows', 'text')] });
    const screen = (does: string[]) =>
      depotScreen({ name: 'visit', fields: [field('found', 'text'), photos], label: ['found'], offline: { does } });
    const base = { id: 4, version: 1, found: 'rust', photos: [{ id: 7, shows: 'Door' }] };
    const kept = async (does: string[], typed: object) => {
      for (const { seq } of await storedActs()) await removeAct(seq);
      const isKept = await keepWrite(screen(does), { ...base, ...typed }, base);
      return [isKept, ...(await storedActs()).map((act) => [act.do, act.input])];
    };
    const added = [{ id: 7, shows: 'Door' }, { shows: 'Rope' }];
    const rows = ['rows:photos', { photos: [base.photos, added] }];
    const both = ['rows:photos', 'change'];
    expect(await kept(both, { photos: added, found: 'none' })).toEqual([
      true,
      ['change', { found: ['rust', 'none'] }],
      rows,
    ]);
    expect(await kept(['rows:photos'], { photos: added })).toEqual([true, rows]);
    // Others than added rows are a change, which may not wait here.
    for (const typed of [{ found: 'none', photos: added }, { photos: [{ id: 7, shows: 'Gate' }, { shows: 'Rope' }] }])
      expect(await kept(['rows:photos'], typed)).toEqual([false]);
    const changed = { photos: [{ shows: 'Rope' }] };
    expect(await kept(both, changed)).toEqual([true, ['change', { photos: [base.photos, changed.photos] }]]);
  });

  it('holds later acts on a record that needs a decision, and continues with others', async () => {
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
    expect(calls[1]![0]).toMatchObject({ instead: calls[0]![0]!.key });
    expect(waitingActs.get()).toEqual([]);
  });

  it('sends the person’s changes, over what others stored meanwhile', async () => {
    await change(1, { found: [null, 'mine'], place: [null, 'here'] });
    await keepAct({ type: 'visit', id: 2, title: 'Visit 2', do: 'leave', input: { advice: '' } });
    answers(([first, second]) => [
      { key: first!.key, state: 'needs_you', message: 'Changed.', theirs: { found: 'theirs' } },
      { key: second!.key, state: 'needs_you', message: 'Advice is needed.', theirs: {} },
    ]);
    await sendOutbox();
    const [one, two] = waitingActs.get();
    answers(done, done);
    await sendEdited(one!, { found: 'both' });
    await sendEdited(two!, { advice: 'Oil it' });
    expect(calls.slice(1)).toMatchObject([
      [{ do: 'change', input: { found: ['theirs', 'both'], place: [null, 'here'] }, instead: one!.key }],
      [{ do: 'leave', input: { advice: 'Oil it' }, instead: two!.key }],
    ]);
    expect(waitingActs.get()).toEqual([]);
  });

  it('accepts the values of others and keeps the rest, or discards a refused act', async () => {
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
    // What is refused is kept on the server as well: it is given up there.
    expect(given.mock.calls.map(([path]) => path)).toEqual([`/tapi/offline/refused/${calls[0]![1]!.key}`]);
  });

  it('shows acts refused on another device, and removes those decided there', async () => {
    const { userId } = currentSession();
    const refused = { key: 'of-another', type: 'visit', id: 3, title: 'Visit 3', do: 'leave', input: {}, theirs: {} };
    const known = { ...refused, done_at: '2026-03-31T09:30:00Z', message: 'It is over.', by: userId };
    const get = vi.spyOn(api, 'get');
    get.mockResolvedValueOnce({ data: [known, { ...known, key: 'of-somebody', by: userId + 1 }] });
    await syncRefused();
    get.mockResolvedValueOnce({ data: [known] });
    await syncRefused();
    expect(waitingActs.get()).toMatchObject([{ key: 'of-another', id: 3, needs: { message: 'It is over.' } }]);
    answers((acts) => [{ key: acts[0]!.key, state: 'needs_you', code: 'bad_state', message: 'Still.', theirs: {} }]);
    await decideAct(waitingActs.get()[0]!, 'again');
    expect(calls[0]).toMatchObject([{ id: 3, do: 'leave', instead: 'of-another' }]);
    // Decided on the other device.
    get.mockResolvedValueOnce({ data: [] });
    await syncRefused();
    expect(waitingActs.get()).toEqual([]);
    get.mockRestore();
  });

  it('uploads a photo before the act that refers to it, resumes it, and never sends it twice', async () => {
    const screen = { fields: [{ name: 'picture', type: 'image' } as Field] };
    const bytes = new TextEncoder().encode('a photo of a worn rope');
    const photo = await keepFile('visit.picture', new File([bytes], 'rope.jpg', { type: 'image/jpeg' }));
    expect(photo.id).toBeGreaterThan(ON_DEVICE);
    // The same photo taken again is the same file.
    expect((await keepFile('visit.picture', new File([bytes], 'rope.jpg'))).id).toBe(photo.id);
    const { picture } = await byContent(screen, { picture: photo.id });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(picture).toBe(`sha256:${sha256}`);
    await change(1, { found: [null, 'a'] });
    await change(2, { picture: [null, picture] });
    await change(3, { found: [null, 'c'] });

    // The acts before it go; then the network ends within the photo.
    answers(done);
    const begun = { data: { upload_id: 'u', offset: 0, part: 10 } };
    post.mockImplementationOnce((path, body) => {
      expect([path, body]).toEqual([
        '/tapi/files/parts',
        { name: 'rope.jpg', size: bytes.length, for: 'visit.picture', sha256 },
      ]);
      return Promise.resolve(begun);
    });
    const put = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await sendOutbox();
    expect(calls.map((acts) => acts.map(({ id }) => id))).toEqual([[1]]);
    expect(waitingActs.get().map(({ id }) => id)).toEqual([2, 3]);

    // The server says how much has come.
    post.mockResolvedValueOnce({ data: { ...begun.data, offset: 10 } });
    const parts: string[] = [];
    put.mockImplementation(async (path, init) => {
      parts.push(`${String(path)} ${(init!.body as Blob).size}`);
      const data = parts.length === 1 ? { offset: 20 } : { id: 7 };
      return new Response(JSON.stringify({ data }), { status: 200 });
    });
    answers(done, done);
    await sendOutbox();
    expect(parts).toEqual(['/tapi/files/parts/u?offset=10 10', `/tapi/files/parts/u?offset=20 ${bytes.length - 20}`]);
    expect(calls.slice(1).map((acts) => acts.map(({ id }) => id))).toEqual([[2], [3]]);
    expect(waitingActs.get()).toEqual([]);
    // A form that is still open knows its number; the content is let go.
    const kept = await fileOnDevice(photo.id - ON_DEVICE);
    expect(kept).toMatchObject({ stored: 7 });
    expect(kept!.bytes).toBeUndefined();
    expect(await withFilesSent(screen, { picture: photo.id })).toEqual({ picture: 7 });
    put.mockRestore();
  });

  it('sends the answers of a checklist with their photos before the transition that needs them, and only once', async () => {
    const address = '/tapi/visit/1/answers/asked';
    rememberSession({ user_id: 9 });
    const key = answersKey(address);
    const photo = await keepFile('visit.asked', new File(['a worn rope'], 'rope.jpg', { type: 'image/jpeg' }));
    // The browser was ended before it wrote them to its plain storage.
    await storeAnswers(key, [
      { code: 'rope', value: 'worn', seq: 1 },
      { code: 'picture', value: [photo.id], seq: 2 },
    ]);
    await bringBackAnswers();
    expect([...filesOfAnswers()]).toEqual([photo.id]);
    await keepAct({ type: 'visit', id: 1, title: 'Visit 1', do: 'complete', input: {} });
    const patch = vi.spyOn(api, 'patch');
    // The network ends within the answers: they stay, and signing out leaves their photo.
    post.mockResolvedValueOnce({ data: { id: 77 } });
    patch.mockRejectedValueOnce(new ApiError(0, 'offline', 'You are offline!'));
    await sendOutbox();
    await removeFilesOf(currentSession().userId, new Set(), filesOfAnswers());
    expect(localStorage.getItem(key)).not.toBeNull();

    patch.mockImplementationOnce((path, body) => {
      expect([path, body]).toEqual([
        address,
        {
          answers: [
            { code: 'rope', value: 'worn', seq: 1 },
            { code: 'picture', value: [77], seq: 2 },
          ],
        },
      ]);
      expect(calls).toEqual([]);
      return Promise.resolve({ data: { refused: [], answers: [] } });
    });
    answers(done);
    await sendOutbox();
    expect(calls.map((acts) => acts.map((act) => act.do))).toEqual([['complete']]);
    expect([localStorage.getItem(key), patch.mock.calls.length, [...filesOfAnswers()]]).toEqual([null, 2, []]);
    expect(await answersOnDevice(key)).toBeUndefined();
    forgetSession();
    patch.mockRestore();
  });

  it('asks about a photo that the server refuses, and continues with the others', async () => {
    const photo = await keepFile('visit.picture', new File(['no picture'], 'a.exe'));
    const { picture } = await byContent(
      { fields: [{ name: 'picture', type: 'image' } as Field] },
      { picture: photo.id },
    );
    await change(1, { picture: [null, picture] });
    await change(2, { found: [null, 'x'] });
    post.mockRejectedValueOnce(new ApiError(415, 'unsupported', 'This is not a picture.'));
    answers(done);
    await sendOutbox();
    expect(calls.map((acts) => acts.map(({ id }) => id))).toEqual([[2]]);
    expect(waitingActs.get()).toMatchObject([{ id: 1, needs: { message: 'This is not a picture.' } }]);
  });

  it('keeps the temporary name of a record created here when it is resent', async () => {
    await keepAct({ key: 'made-here-1', type: 'visit', title: 'Mill', do: 'create', input: { place: '' } });
    answers(([act]) => [{ key: act!.key, state: 'needs_you', message: 'A place is needed.', theirs: {} }], done);
    await sendOutbox();
    await decideAct(waitingActs.get()[0]!, 'again');
    expect(calls.map(([act]) => act!.key)).toEqual(['made-here-1', 'made-here-1']);
    expect(calls[0]![0]!.id).toBeUndefined();
  });
});
