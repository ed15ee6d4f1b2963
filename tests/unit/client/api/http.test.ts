import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, api } from '../../../../src/client/api/http.ts';
import { onRightsChange, onSessionEnd } from '../../../../src/client/api/session_events.ts';
import { toasts } from '../../../../src/client/app/feedback.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import { fakeFetch } from '../app/fetch_fake.ts';

const texts = () => toasts.get().map((item) => item.text);
const error = (code: string, message: string, more = {}) => ({
  error: { code, message, details: [], request_id: 'r-1', ...more },
});

beforeEach(() => {
  forgetSession();
  toasts.set([]);
  rememberSession({ token: 'tok', user_id: 7, entity_id: 2, entity_name: 'Acme' });
});
afterEach(() => {
  forgetSession();
  toasts.set([]);
});

describe('api', () => {
  it('sends the user, the company and a request id, and adds from_user to bodies without it', async () => {
    const calls = fakeFetch({ 'POST /tapi/branch': () => ({ status: 201, body: { data: { id: 1 } } }) });
    await api.post('/tapi/branch', { name: 'Chennai' });
    await api.post('/tapi/branch', { name: 'Salem', from_user: 3 });
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer tok');
    expect(calls[0]?.headers.get('x-entity-id')).toBe('2');
    expect(calls[0]?.headers.get('x-request-id')).toBeTruthy();
    expect(calls.map((call) => call.body)).toEqual([
      { name: 'Chennai', from_user: 7 },
      { name: 'Salem', from_user: 3 },
    ]);
  });

  it('leaves empty query values out', async () => {
    const calls = fakeFetch({ 'GET /tapi/branch': () => ({ body: { data: [] } }) });
    await api.get('/tapi/branch', { page: 2, q: '', filter: undefined, active: 'all' });
    expect(String(calls[0]?.query)).toBe('page=2&active=all');
  });

  it('throws the server’s refusal with all its members and announces it', async () => {
    fakeFetch({
      'PUT /tapi/branch/1': () => ({
        status: 409,
        body: error('stale_version', 'Asha changed this.', { theirs: { id: 1 }, field: 'name' }),
      }),
    });
    const thrown = await api.put('/tapi/branch/1', { version: 1 }).catch((e: unknown) => e);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({
      status: 409,
      code: 'stale_version',
      field: 'name',
      requestId: 'r-1',
      extra: { theirs: { id: 1 } },
    });
    expect(texts()).toEqual(['Asha changed this.']);
  });

  it('is silent when quiet', async () => {
    fakeFetch({ 'GET /tapi/branch': () => ({ status: 403, body: error('forbidden', 'No right.') }) });
    await api.get('/tapi/branch', undefined, { quiet: true }).catch(() => undefined);
    expect(texts()).toEqual([]);
  });

  it('says Server Error on 500, with the request in the details', async () => {
    fakeFetch({ 'POST /tapi/branch': () => ({ status: 500, body: error('internal', 'boom') }) });
    await api.post('/tapi/branch', {}).catch(() => undefined);
    expect(toasts.get()[0]).toMatchObject({ text: 'Server Error', details: 'Request r-1' });
  });

  it('says Unable to contact server without an answer, and You are offline! without a network', async () => {
    fakeFetch({ 'POST /tapi/branch': 'fail' });
    await api.post('/tapi/branch', {}).catch(() => undefined);
    vi.stubGlobal('navigator', { ...navigator, onLine: false });
    await api.post('/tapi/branch', {}).catch(() => undefined);
    expect(texts()).toEqual(['You are offline!', 'Unable to contact server']);
  });

  it('shows the server’s message on 503, or asks to try again in a moment', async () => {
    fakeFetch({
      'POST /tapi/branch': () => ({
        status: 503,
        body: { error: { code: 'unavailable', message: 'Being restored.' } },
      }),
      'POST /tapi/zone': () => ({ status: 503, body: '<html>' }),
    });
    await expect(api.post('/tapi/branch', {})).rejects.toThrow('Being restored.');
    await expect(api.post('/tapi/zone', {})).rejects.toThrow('The server is busy.');
    expect(toasts.get().map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Being restored.', 'The server is busy. Try again in a moment.']),
    );
  });

  it('retries reads on 503, never writes', async () => {
    let reads = 0;
    let writes = 0;
    fakeFetch({
      'GET /tapi/branch': () => (++reads < 3 ? { status: 503, body: {} } : { body: { data: 'ok' } }),
      'POST /tapi/branch': () => {
        writes++;
        return { status: 503, body: {} };
      },
    });
    expect(await api.get('/tapi/branch')).toEqual({ data: 'ok' });
    await api.post('/tapi/branch', {}).catch(() => undefined);
    expect([reads, writes]).toEqual([3, 1]);
  });

  it('ends the session on 401 without a toast', async () => {
    const ended = vi.fn();
    const stop = onSessionEnd(ended);
    fakeFetch({ 'GET /tapi/branch': () => ({ status: 401, body: error('unauthenticated', 'Sign in.') }) });
    await api.get('/tapi/branch').catch(() => undefined);
    stop();
    expect(ended).toHaveBeenCalledOnce();
    expect(texts()).toEqual([]);
  });

  it('announces a change of rights, except the first version', async () => {
    const changed = vi.fn();
    const stop = onRightsChange(changed);
    let version = 17;
    fakeFetch({ 'GET /tapi/branch': () => ({ body: {}, headers: { 'x-rights-version': String(version) } }) });
    await api.get('/tapi/branch');
    await api.get('/tapi/branch');
    version = 18;
    await api.get('/tapi/branch');
    stop();
    expect(changed.mock.calls).toEqual([['18']]);
  });
});
