import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

export interface ImapServer {
  port: number;
  /** Puts a mail into the folder. */
  deliver(lines: readonly string[]): number;
  /** The numbers of the mails that were read. */
  read: Set<number>;
  /** What clients sent, without their passwords. */
  commands: string[];
  close(): Promise<void>;
}

/** A small IMAP server (RFC 3501) on a free port of this machine, with one folder. */
export async function startImapServer(user: { name: string; password: string }): Promise<ImapServer> {
  const mails = new Map<number, string>();
  const read = new Set<number>();
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let next = 1;

  const uidsOf = (set: string): number[] => {
    const found = set.split(',').flatMap((part) => {
      const [from = '', to = from] = part.split(':');
      const last = Math.max(0, ...mails.keys());
      const bounds = [from, to].map((text) => (text === '*' ? last : Number(text)));
      return [...mails.keys()].filter((uid) => uid >= Math.min(...bounds) && uid <= Math.max(...bounds));
    });
    return found;
  };
  const place = (uid: number) => [...mails.keys()].indexOf(uid) + 1;

  function answer(line: string): string {
    const [tag = '', ...words] = line.split(' ');
    const command = words[0] === 'UID' ? `UID ${words[1]}` : (words[0] ?? '');
    commands.push(command === 'LOGIN' ? 'LOGIN' : words.join(' '));
    const rest = words.slice(command.startsWith('UID') ? 2 : 1).join(' ');
    const ok = (...lines: string[]) => [...lines, `${tag} OK done`].map((one) => `${one}\r\n`).join('');
    switch (command) {
      case 'CAPABILITY':
        return ok('* CAPABILITY IMAP4rev1');
      case 'LOGIN':
        return rest.replaceAll('"', '') === `${user.name} ${user.password}`
          ? ok()
          : `${tag} NO [AUTHENTICATIONFAILED] Invalid\r\n`;
      case 'LIST':
      case 'LSUB':
        return ok(`* ${command} (\\HasNoChildren) "/" "INBOX"`);
      case 'SELECT':
        return rest.replaceAll('"', '') === 'INBOX'
          ? ok(
              '* FLAGS (\\Seen)',
              `* ${mails.size} EXISTS`,
              '* OK [UIDVALIDITY 7] valid',
              `* OK [UIDNEXT ${next}] next`,
              '* OK [PERMANENTFLAGS (\\Seen)] flags',
            )
          : `${tag} NO [NONEXISTENT] Unknown folder\r\n`;
      case 'UID SEARCH': {
        const found = uidsOf(/UID (\S+)/.exec(rest)?.[1] ?? '1:*').filter((uid) => !read.has(uid));
        return ok(`* SEARCH ${found.join(' ')}`.trim());
      }
      case 'UID FETCH': {
        const lines = uidsOf(rest.split(' ')[0]!).map((uid) => {
          const text = mails.get(uid)!;
          if (rest.includes('RFC822.SIZE'))
            return `* ${place(uid)} FETCH (UID ${uid} RFC822.SIZE ${Buffer.byteLength(text)})`;
          return `* ${place(uid)} FETCH (UID ${uid} BODY[]<0> {${Buffer.byteLength(text)}}\r\n${text})`;
        });
        return ok(...lines);
      }
      case 'UID STORE':
        for (const uid of uidsOf(rest.split(' ')[0]!)) read.add(uid);
        return ok();
      case 'LOGOUT':
        return ok('* BYE');
      default:
        return ok();
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.write('* OK IMAP4rev1 ready\r\n');
    let text = '';
    socket.on('data', (part: Buffer) => {
      text += part.toString();
      for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        socket.write(answer(line));
        if (line.endsWith('LOGOUT')) socket.end();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    deliver(lines) {
      mails.set(next, `${lines.join('\r\n')}\r\n`);
      return next++;
    },
    read,
    commands,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
