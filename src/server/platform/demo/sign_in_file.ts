import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SignIn } from './shapes.ts';

/** A sign-in as printed at the start of a demo installation. */
export interface DemoSignIn {
  /** First label of the host. */
  host: string;
  username: string;
  password: string;
  what: string;
}

export const PLATFORM_SIGN_IN = {
  host: 'admin',
  username: 'platform',
  what: 'Platform administrator: clients, products and common lists',
};

const FILE = 'demo-sign-ins.txt';

/** Fourteen unambiguous characters, about 80 bits. */
export function randomPassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from({ length: 14 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** The main sign-ins of a tenant: those with a description of the person. */
export function mainSignIns(host: string, signIns: SignIn[], password: string): DemoSignIn[] {
  return signIns.flatMap(({ username, what }) => (what ? [{ host, username, password, what }] : []));
}

/** Writes the list to `<dataDir>/demo-sign-ins.txt`, readable by its owner only. */
export async function writeSignIns(dataDir: string, list: DemoSignIn[]): Promise<void> {
  const lines = list.map(({ host, username, password, what }) => [host, username, password, what].join('\t'));
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, FILE), `host\tuser\tpassword\twhat this person is\n${lines.join('\n')}\n`, {
    mode: 0o600,
  });
}

/** The sign-ins of an earlier start; empty if this installation has no demo. */
export async function readSignIns(dataDir: string): Promise<DemoSignIn[]> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [host, username, password, what] = line.split('\t');
      return host && username && password ? [{ host, username, password, what: what ?? '' }] : [];
    });
}
