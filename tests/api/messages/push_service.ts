import { createVerify, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PushMessage {
  token: string;
  data: Record<string, string>;
}

export interface PushService {
  /** What the server is started with. */
  env: Record<string, string>;
  messages: PushMessage[];
  /** How often access was asked for. */
  grants: number;
  /** Answers for a browser's token, instead of taking the message. */
  answers: Map<string, { status: number; body: object }>;
  close(): Promise<void>;
}

/** Stands in for Google on this machine: gives access for a rightly signed request, and takes messages with it. */
export async function startPushService(): Promise<PushService> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url === '/token') {
        const [header = '', claims = '', signature = ''] = (new URLSearchParams(text).get('assertion') ?? '').split(
          '.',
        );
        const { iss, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
          iss: string;
          scope: string;
        };
        const signed = createVerify('RSA-SHA256')
          .update(`${header}.${claims}`)
          .verify(publicKey, signature, 'base64url');
        if (!signed || iss !== 'push@acme-test.iam.gserviceaccount.com' || !scope.endsWith('firebase.messaging'))
          return answer(400, { error: 'invalid_grant' });
        service.grants++;
        return answer(200, { access_token: 'granted', expires_in: 3600, token_type: 'Bearer' });
      }
      if (request.url !== '/v1/projects/acme-test/messages:send') return answer(404, {});
      if (request.headers.authorization !== 'Bearer granted')
        return answer(401, { error: { status: 'UNAUTHENTICATED' } });
      const { message } = JSON.parse(text) as { message: PushMessage };
      const other = service.answers.get(message.token);
      if (other) return answer(other.status, other.body);
      service.messages.push(message);
      return answer(200, { name: `projects/acme-test/messages/${service.messages.length}` });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dir = mkdtempSync(join(tmpdir(), 'push-'));
  const file = (name: string, body: object) => {
    writeFileSync(join(dir, name), JSON.stringify(body));
    return join(dir, name);
  };
  const service: PushService = {
    env: {
      FIREBASE_CONFIG: file('web.json', {
        apiKey: 'key',
        projectId: 'acme-test',
        messagingSenderId: '1',
        appId: '1:1:web:1',
        vapidKey: 'vapid',
      }),
      FIREBASE_SERVICE_ACCOUNT: file('account.json', {
        project_id: 'acme-test',
        client_email: 'push@acme-test.iam.gserviceaccount.com',
        private_key: privateKey,
        token_uri: `${address}/token`,
      }),
      FCM_URL: address,
    },
    messages: [],
    grants: 0,
    answers: new Map(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return service;
}
