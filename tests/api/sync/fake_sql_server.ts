import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

/** What the fake answers to a statement: rows of texts and whole numbers, a refusal, or nothing at all. */
export type Answer =
  | {
      columns: { name: string; type: 'nvarchar' | 'int' | 'decimal' | 'datetime2' | 'bigint' }[];
      rows?: (string | number | null)[][];
    }
  | { error: { number: number; message: string } }
  | 'silence';

export interface FakeSqlServer {
  source: {
    kind: 'mssql';
    host: string;
    port: number;
    database_name: string;
    username: string;
    password: string;
    ssl: 'off' | 'prefer' | 'require';
  };
  /** Statements asked so far, in order. */
  asked: string[];
  /** Whether the last login said that it only reads. */
  readOnly: () => boolean;
  /** Sends the next login on to another server. */
  routeTo(host: string): void;
  stop(): Promise<void>;
}

const [BATCH, ANSWER, ATTENTION, TRANSACTION, LOGIN, PRELOGIN] = [1, 4, 6, 14, 16, 18];
const TYPES = {
  nvarchar: [0xe7, 0x40, 0x1f, 9, 4, 0xd0, 0, 52],
  int: [0x26, 4],
  bigint: [0x26, 8],
  decimal: [0x6a, 9, 16, 2],
  datetime2: [0x2a, 7],
};

const u16 = (value: number) => Buffer.from([value & 255, value >> 8]);
const u32 = (value: number) => Buffer.from(new Uint32Array([value]).buffer);
const ucs2 = (text: string) => Buffer.from(text, 'utf16le');
/** A text behind its length in characters. */
const short = (text: string) => Buffer.concat([Buffer.from([text.length]), ucs2(text)]);
const done = (status = 0, rows = 0) => Buffer.concat([Buffer.from([0xfd]), u16(status), u16(0), u32(rows), u32(0)]);
const change = (content: Buffer) => Buffer.concat([Buffer.from([0xe3]), u16(content.length), content]);

function refusal(number: number, message: string): Buffer {
  const content = Buffer.concat([
    u32(number),
    Buffer.from([1, 14]),
    u16(message.length),
    ucs2(message),
    short('fake'),
    short(''),
    u32(1),
  ]);
  return Buffer.concat([Buffer.from([0xaa]), u16(content.length), content, done(2)]);
}

function send(socket: Socket, content: Buffer): void {
  for (let at = 0; at < content.length; at += 4000) {
    const part = content.subarray(at, at + 4000);
    socket.write(
      Buffer.concat([
        Buffer.from([
          ANSWER,
          at + 4000 >= content.length ? 1 : 0,
          (part.length + 8) >> 8,
          (part.length + 8) & 255,
          0,
          0,
          1,
          0,
        ]),
        part,
      ]),
    );
  }
}

function value(type: string, cell: string | number | null): Buffer {
  if (type !== 'int')
    return cell === null ? u16(0xffff) : Buffer.concat([u16(String(cell).length * 2), ucs2(String(cell))]);
  return cell === null ? Buffer.from([0]) : Buffer.concat([Buffer.from([4]), u32(Number(cell))]);
}

function result({ columns, rows = [] }: Extract<Answer, { columns: unknown }>): Buffer {
  const heads = columns.map(({ name, type }) => Buffer.concat([u32(0), u16(9), Buffer.from(TYPES[type]), short(name)]));
  return Buffer.concat([
    Buffer.from([0x81]),
    u16(columns.length),
    ...heads,
    ...rows.map((row) =>
      Buffer.concat([Buffer.from([0xd1]), ...row.map((cell, at) => value(columns[at]!.type, cell))]),
    ),
    done(0x10, rows.length),
  ]);
}

/**
 * A server that speaks as much of SQL Server's protocol (TDS 7.4, without encryption) as an import needs: the login of
 * `reader` with `Kettle-5`, a transaction, statements. It understands no SQL: `answer` says what comes back.
 */
export async function fakeSqlServer(answer: (sql: string) => Answer): Promise<FakeSqlServer> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  let readOnly = false;
  let route: string | null = null;

  function login(content: Buffer): Buffer {
    const text = (at: number) =>
      content.subarray(content.readUInt16LE(at), content.readUInt16LE(at) + content.readUInt16LE(at + 2) * 2);
    const password = text(44).map((byte) => (((byte ^ 0xa5) & 15) << 4) | ((byte ^ 0xa5) >> 4));
    readOnly = (content[26]! & 0x20) !== 0;
    if (text(40).toString('utf16le') !== 'reader' || Buffer.from(password).toString('utf16le') !== 'Kettle-5')
      return refusal(18456, "Login failed for user 'reader'.");
    if (text(68).toString('utf16le') !== 'shop')
      return refusal(4060, 'Cannot open database "other" requested by the login. The login failed.');
    const ack = Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), short('fake'), Buffer.from([16, 0, 0, 0])]);
    const accepted = Buffer.concat([Buffer.from([0xad]), u16(ack.length), ack]);
    if (route === null) return Buffer.concat([accepted, done()]);
    const where = Buffer.concat([Buffer.from([0]), u16(1433), u16(route.length), ucs2(route)]);
    return Buffer.concat([
      accepted,
      change(Buffer.concat([Buffer.from([20]), u16(where.length), where, u16(0)])),
      done(),
    ]);
  }

  function respond(type: number, content: Buffer): Buffer | null {
    if (type === PRELOGIN) {
      // Version, encryption (none to be had), instance, thread, several results at once.
      const parts = [
        Buffer.from([16, 0, 0, 0, 0, 0]),
        Buffer.from([2]),
        Buffer.from([0]),
        Buffer.alloc(4),
        Buffer.from([0]),
      ];
      let at = parts.length * 5 + 1;
      const heads = parts.map((part, token) => {
        const head = Buffer.from([token, at >> 8, at & 255, 0, part.length]);
        at += part.length;
        return head;
      });
      return Buffer.concat([...heads, Buffer.from([0xff]), ...parts]);
    }
    if (type === LOGIN) return login(content);
    if (type === TRANSACTION) return Buffer.concat([change(Buffer.from([8, 8, 1, 0, 0, 0, 0, 0, 0, 0, 0])), done()]);
    if (type === ATTENTION) return done(0x20);
    if (type !== BATCH) return done();
    const sql = content.subarray(content.readUInt32LE(0)).toString('utf16le');
    if (/^set /i.test(sql.trim())) return done();
    asked.push(sql);
    const found = answer(sql);
    if (found === 'silence') return null;
    return 'error' in found ? refusal(found.error.number, found.error.message) : result(found);
  }

  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    let read = Buffer.alloc(0);
    let message = Buffer.alloc(0);
    let owing = false;
    socket.on('data', (bytes: Buffer) => {
      read = Buffer.concat([read, bytes]);
      while (read.length >= 8 && read.length >= read.readUInt16BE(2)) {
        const packet = read.subarray(0, read.readUInt16BE(2));
        read = read.subarray(packet.length);
        message = Buffer.concat([message, packet.subarray(8)]);
        if ((packet[1]! & 1) === 0) continue;
        // A statement that was broken off is answered for itself, before the break is.
        if (packet[0] === ATTENTION && owing) send(socket, done(2));
        const content = respond(packet[0]!, message);
        message = Buffer.alloc(0);
        owing = content === null;
        if (content !== null) send(socket, content);
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    source: {
      kind: 'mssql',
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      database_name: 'shop',
      username: 'reader',
      password: 'Kettle-5',
      ssl: 'prefer',
    },
    asked,
    readOnly: () => readOnly,
    routeTo(host) {
      route = host;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
