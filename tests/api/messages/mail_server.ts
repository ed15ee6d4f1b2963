import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  port: number;
  mails: Email[];
  /** Refuses what follows with this answer; null = takes it. */
  refuse(code: number | null, words?: string): void;
  /** Waits until so many mails are there. */
  until(count: number): Promise<Email[]>;
  close(): Promise<void>;
}

/** A real SMTP server on a free port of this machine. With `user`, it asks for a password. */
export async function startMailServer(user?: { name: string; password: string }): Promise<MailServer> {
  const mails: Email[] = [];
  let refusal: { code: number; words: string } | null = null;
  const server = new SMTPServer({
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS', ...(user ? [] : ['AUTH'])],
    onAuth({ username, password }, _session, done) {
      if (username === user?.name && password === user?.password) done(null, { user: username });
      else done(new Error('Invalid username or password'));
    },
    onRcptTo(_address, _session, done) {
      done(refusal ? Object.assign(new Error(refusal.words), { responseCode: refusal.code }) : null);
    },
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          mails.push(mail);
          done();
        });
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refuse(code, words = 'No such user here') {
      refusal = code === null ? null : { code, words };
    },
    async until(count) {
      for (let waited = 0; mails.length < count && waited < 10_000; waited += 20)
        await new Promise((resolve) => setTimeout(resolve, 20));
      return mails;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
