import { formatMoment } from '../../../descriptor/format.ts';
import { createHash } from 'node:crypto';
import { connect as dial } from 'node:net';
import type { Client, FileEntryWithStats, SFTPWrapper } from 'ssh2';
import type { Tenant } from '../../db/tenant.ts';
import { matchesWildcard } from '../../../domain/wildcard.ts';
import { AppError } from '../../db/errors.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { sourceOf } from './file_source.ts';
import { MAX_ROWS } from './row_slices.ts';
import { addressOf } from './source_address.ts';
import type { Asked, OpenSource, SourceDeps, SourceKind, SourceRow } from './source_kind.ts';
import { PORTS, refusal, secondsOf } from './source_kind.ts';
import { CONNECT_MS, networkMessage, noAnswer, placeOf, signingIn } from './source_messages.ts';

/** The newest file of a folder on an SFTP server, read like an uploaded one. */
export const sftpSource: SourceKind = {
  open: (deps, tenant, source, asked) => open(deps, tenant, source, asked),
  contents: async (deps, source) =>
    (await inFolder(deps, source, (_sftp, files) => Promise.resolve(files)))
      .slice(0, 200)
      .map(({ filename }) => filename),
  explain(error, source) {
    const { level } = error as { level?: string };
    if (level === 'client-authentication')
      return 'The server does not accept this user name with this password or key.';
    if (level === 'client-timeout') return noAnswer(source);
    if (/before handshake|Protocol|handshake/i.test(error.message) && error.code === undefined)
      return `No SSH server answered at ${placeOf(source)}.`;
    return networkMessage(error, source);
  },
};

/** SHA256:…, as ssh-keygen and the owners of servers write it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** Restores line breaks of a key that a single-line field has removed. */
export function withLines(key: string): string {
  const [, head, body, foot] =
    /^\s*(-----BEGIN [A-Z ]+-----)([A-Za-z0-9+/=\s]+)(-----END [A-Z ]+-----)\s*$/.exec(key) ?? [];
  if (head === undefined) return key;
  return `${head}\n${body!.replace(/\s+/g, '').replace(/.{1,70}/g, '$&\n')}${foot}\n`;
}

/** Lists the files of the source's folder, the newest first. */
async function inFolder<T>(
  deps: SourceDeps,
  source: SourceRow,
  work: (sftp: SFTPWrapper, files: FileEntryWithStats[]) => Promise<T>,
): Promise<T> {
  const client = await signingIn(() => connect(deps, source));
  const limit = setTimeout(() => client.emit('error', tooSlow(source)), secondsOf(source) * 1000);
  try {
    return await Promise.race([
      new Promise<never>((_done, fail) => {
        client.on('error', fail);
        client.on('close', () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
      }),
      (async () => {
        const sftp = await new Promise<SFTPWrapper>((done, fail) =>
          client.sftp((error, found) =>
            error
              ? fail(new AppError(422, 'invalid', 'The server lets this account in, but not to files (SFTP).'))
              : done(found),
          ),
        );
        const folder = source.folder?.trim() || '.';
        const files = await new Promise<FileEntryWithStats[]>((done, fail) =>
          sftp.readdir(folder, (error, list) =>
            error ? fail(refusal('folder', `The folder "${folder}" cannot be read: ${reason(error)}.`)) : done(list),
          ),
        );
        return work(
          sftp,
          files
            .filter(({ attrs }) => attrs.isFile())
            .sort((a, b) => b.attrs.mtime - a.attrs.mtime || (a.filename < b.filename ? 1 : -1)),
        );
      })(),
    ]);
  } finally {
    clearTimeout(limit);
    client.end();
    // An unreachable server does not receive the disconnect.
    setTimeout(() => client.destroy(), 2_000).unref();
  }
}

const tooSlow = (source: SourceRow): AppError =>
  new AppError(
    503,
    'unavailable',
    `The server did not deliver the file within ${secondsOf(source)} s. Raise the time-out of the source.`,
  );

/** The errors of an SFTP server as text. */
function reason({ code, message }: { code?: number | string; message: string }): string {
  if (code === 2) return 'there is none';
  return code === 3 ? 'the account may not' : message;
}

async function connect(deps: SourceDeps, source: SourceRow): Promise<Client> {
  const address = await addressOf(source, deps);
  const { default: ssh2 } = await import('ssh2');
  const { private_key: privateKey, password } = source;
  if (privateKey !== null) {
    const parsed = ssh2.utils.parseKey(withLines(privateKey), password ?? undefined);
    if (parsed instanceof Error)
      throw refusal(
        'private_key',
        `The private key cannot be read: ${parsed.message}. Enter it in OpenSSH format, with its passphrase if it has one.`,
      );
  }
  const client = new ssh2.Client();
  let wrongKey: AppError | null = null;
  await new Promise<void>((done, fail) => {
    const refused = (error: Error) => fail(wrongKey ?? error);
    // Lost connections are reported to the waiting caller; without a listener they would end the process.
    client.on('error', refused);
    client.once('close', () => refused(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    client.once('ready', done);
    const socket = dial(source.port ?? PORTS.sftp_file, address);
    const silent = setTimeout(
      () => socket.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })),
      CONNECT_MS,
    );
    socket.once('connect', () => clearTimeout(silent));
    socket.once('close', () => clearTimeout(silent));
    client.connect({
      sock: socket,
      username: source.username ?? '',
      ...(privateKey === null
        ? { password: password ?? '' }
        : { privateKey: withLines(privateKey), ...(password !== null && { passphrase: password }) }),
      readyTimeout: CONNECT_MS,
      hostVerifier: (key: Buffer) => {
        wrongKey = hostKeyRefusal(source.host_key, fingerprintOf(key));
        return wrongKey === null;
      },
    });
  }).catch((error: unknown) => {
    client.destroy();
    throw error;
  });
  return client;
}

/** Why a server with this host key is not trusted; null = it is. */
export function hostKeyRefusal(known: string | null, shown: string): AppError | null {
  if (known === null || known.trim() === '')
    return refusal(
      'host_key',
      `The key of the server is ${shown}. Confirm this with its owner, then enter it as Host key.`,
    );
  if (known.trim().replace(/=+$/, '') === shown) return null;
  return refusal(
    'host_key',
    `The server shows another key than the one entered: ${shown}. It was set up anew, or somebody is intercepting the connection. Ask its owner before you enter the new one.`,
  );
}

async function open(deps: SourceDeps, tenant: Tenant, source: SourceRow, { filePattern }: Asked): Promise<OpenSource> {
  if (filePattern === null || filePattern.trim() === '')
    throw refusal(
      'file_pattern',
      'The job does not say which file: enter a name in its field File, such as stock_*.csv.',
    );
  const max = Math.min(deps.maxFileBytes, (await clientSettings(tenant)).upload_max_mb * 1024 * 1024);
  return inFolder(deps, source, async (sftp, files) => {
    const file = files.find(({ filename }) => matchesWildcard(filePattern.trim(), filename));
    const folder = source.folder?.trim() || '.';
    if (!file)
      throw refusal('file_pattern', `There is no file like "${filePattern.trim()}" in the folder "${folder}".`);
    const path = `${folder.replace(/\/+$/, '')}/${file.filename}`;
    if (file.attrs.size > max)
      throw new AppError(
        413,
        'too_large',
        `The file "${file.filename}" has more than ${Math.floor(max / 1024 / 1024)} MB.`,
      );
    const bytes = await contentOf(sftp, path, file.attrs.size).catch((error: { code?: number; message: string }) => {
      throw new AppError(422, 'invalid', `The file "${file.filename}" cannot be read: ${reason(error)}.`);
    });
    const after = await new Promise<{ size: number; mtime: number }>((done, fail) =>
      sftp.stat(path, (error, stats) =>
        error
          ? fail(new AppError(422, 'invalid', `The file "${file.filename}" was removed while it was being read.`))
          : done(stats),
      ),
    );
    if (after.size !== file.attrs.size || after.mtime !== file.attrs.mtime)
      throw new AppError(
        503,
        'unavailable',
        `The file "${file.filename}" is still being written. Run the job again when it is complete.`,
      );
    const read = await deps.reading.rows({ bytes }, MAX_ROWS);
    return {
      ...sourceOf(read),
      notes: [`File ${file.filename}, changed ${formatMoment(new Date(file.attrs.mtime * 1000).toISOString())}.`],
    };
  });
}

/** The size of a request, and how many run at once: one after the other would wait for the network each time. */
const PART = 32 * 1024;
const AT_ONCE = 32;

/** The first `size` bytes of a file. */
async function contentOf(sftp: SFTPWrapper, path: string, size: number): Promise<Buffer> {
  const handle = await new Promise<Buffer>((done, fail) =>
    sftp.open(path, 'r', (error, found) => (error ? fail(error) : done(found))),
  );
  const bytes = Buffer.alloc(size);
  let next = 0;
  const readOn = async (): Promise<void> => {
    while (next < size) {
      const from = next;
      const end = Math.min(from + PART, size);
      next = end;
      // A server may return less than requested.
      for (let at = from; at < end;) {
        const read = await new Promise<number>((done, fail) =>
          sftp.read(handle, bytes, at, end - at, at, (error, count) => (error ? fail(error) : done(count))),
        );
        if (read === 0) throw new Error('it became shorter');
        at += read;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readOn));
  return bytes;
}
