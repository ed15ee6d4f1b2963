import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  headers: IncomingHttpHeaders;
  /** Fields of the form, without the file. */
  fields: Record<string, string>;
  file: { name: string; type: string; bytes: Buffer };
}

export interface SpeechEngine {
  url: string;
  asked: Asked[];
  /** What it answers from now on; `hang` = never. */
  answer: { status: number; body: string } | 'hang';
  /** While it is set, a recording is taken in no further than its beginning. */
  slow: boolean;
  close(): Promise<void>;
}

/** A server that takes recordings as speech engines do, and answers what a test wants. */
export async function startSpeechEngine(): Promise<SpeechEngine> {
  const engine: SpeechEngine = {
    url: '',
    asked: [],
    answer: { status: 200, body: '{}' },
    slow: false,
    close: () => Promise.resolve(),
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => {
      parts.push(part);
      if (!engine.slow) return;
      request.pause();
      const looking = setInterval(() => {
        if (engine.slow) return;
        clearInterval(looking);
        request.resume();
      }, 50);
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      engine.asked.push({
        headers: request.headers,
        ...readForm(Buffer.concat(parts), request.headers['content-type'] ?? ''),
      });
      if (engine.answer !== 'hang')
        response.writeHead(engine.answer.status, { 'content-type': 'application/json' }).end(engine.answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  engine.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/audio/transcriptions`;
  engine.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return engine;
}

function readForm(body: Buffer, type: string): Omit<Asked, 'headers'> {
  const boundary = /boundary=(.+)$/.exec(type)?.[1] ?? '';
  const fields: Record<string, string> = {};
  let file = { name: '', type: '', bytes: Buffer.alloc(0) };
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.slice(2, -2).split('\r\n\r\n');
    const content = rest.join('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? '';
    const filename = /filename="([^"]*)"/.exec(head)?.[1];
    if (filename === undefined) fields[name] = content;
    else
      file = {
        name: filename,
        type: /content-type: (\S+)/i.exec(head)?.[1] ?? '',
        bytes: Buffer.from(content, 'latin1'),
      };
  }
  return { fields, file };
}
