import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverUser } from '../../../src/server/db/binaries.ts';
import { fingerprintOf } from '../../../src/server/platform/sync/sftp_source.ts';
import { sshKeyPair } from '../../ssh_keys.ts';
import { freePort } from './mariadb_server.ts';

/** An SSH server of somebody else, with a folder of files. */
export interface SshServer {
  /** What a source says of it. */
  source: {
    kind: 'sftp_file';
    host: string;
    port: number;
    username: string;
    private_key: string;
    host_key: string;
    folder: string;
  };
  /** Puts a file there, changed so many minutes ago. */
  put(name: string, content: string | Buffer, minutesAgo: number): void;
  /** Begins again with a key of its own that is another one. @returns its fingerprint */
  withAnotherKey(): Promise<string>;
  stop(): Promise<void>;
}

/** The machine's own sshd, as an unprivileged user who lets that very user in by key, and to files alone. */
export async function startSsh(): Promise<SshServer> {
  const binary = [process.env.SSHD_PATH, '/usr/sbin/sshd'].find((path) => path && existsSync(path));
  if (!binary) throw new Error('These tests need sshd: apt-get install openssh-server, or name it in SSHD_PATH.');
  const user = serverUser(null);
  const name = user?.name ?? userInfo().username;
  const home = mkdtempSync('/tmp/mainstay-ssh-');
  const folder = join(home, 'export');
  mkdirSync(join(folder, 'stock_dir.csv'), { recursive: true });
  const own = (path: string) => user && chownSync(path, user.uid, user.gid);
  const write = (file: string, text: string) => {
    writeFileSync(join(home, file), text, { mode: 0o600 });
    own(join(home, file));
  };
  const client = sshKeyPair();
  const port = await freePort();
  for (const path of [home, folder]) own(path);
  // Where it is, that user may not be able to go.
  const program = join(home, 'sshd');
  copyFileSync(binary, program);
  chmodSync(program, 0o755);
  write('known', `${client.public}\n`);
  write(
    'config',
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${home}/host_key`,
      `PidFile ${home}/pid`,
      `AuthorizedKeysFile ${home}/known`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication yes',
      'KbdInteractiveAuthentication no',
      'Subsystem sftp internal-sftp',
      'ForceCommand internal-sftp',
      '',
    ].join('\n'),
  );

  let halt = async () => {};
  /** @returns the fingerprint of the key that it shows */
  async function start(): Promise<string> {
    const host = sshKeyPair();
    write('host_key', host.private);
    const server = spawn(program, ['-D', '-e', '-f', join(home, 'config')], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    let said = '';
    server.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const ended = new Promise<void>((done) => server.once('exit', () => done()));
    halt = async () => {
      server.kill('SIGTERM');
      await ended;
    };
    for (let attempt = 0; !(await answers(port)); attempt++) {
      if (attempt === 200 || server.exitCode !== null) throw new Error(`sshd did not start: ${said}`);
      await sleep(50);
    }
    return fingerprintOf(Buffer.from(host.public.split(' ')[1]!, 'base64'));
  }
  const fingerprint = await start();
  return {
    source: {
      kind: 'sftp_file',
      host: '127.0.0.1',
      port,
      username: name,
      private_key: client.private,
      host_key: fingerprint,
      folder,
    },
    put(file, content, minutesAgo) {
      writeFileSync(join(folder, file), content);
      own(join(folder, file));
      const at = new Date(Date.now() - minutesAgo * 60_000);
      utimesSync(join(folder, file), at, at);
    },
    async withAnotherKey() {
      await halt();
      return start();
    },
    async stop() {
      await halt();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
