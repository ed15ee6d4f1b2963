import { existsSync, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Environment } from './platform/menu/menu.ts';
import type { FirebaseAccount } from './services/notifications/push.ts';

/** The web application as the Firebase console names it, and the key by which browsers know our messages. */
export interface FirebaseWeb {
  apiKey: string;
  projectId: string;
  messagingSenderId: string;
  appId: string;
  vapidKey: string;
}

export interface Config {
  port: number;
  /** Addresses to listen on. */
  hosts: string[];
  dataDir: string;
  databaseUrl: string | undefined;
  demo: boolean;
  demoPassword: string | undefined;
  baseDomains: string[];
  /** Addresses and networks whose X-Forwarded-* headers are believed. */
  trustedProxies: string[];
  logLevel: string;
  schemasDir: string;
  /** Address people use, where a proxy stands in front; decides http or https. */
  publicUrl: URL | undefined;
  environment: Environment;
  metricsToken: string | undefined;
  /** The platform's own mail account. */
  smtpUrl: URL | undefined;
  mailFrom: string;
  /** What browsers need to register for push messages. */
  firebase: FirebaseWeb | undefined;
  firebaseAccount: FirebaseAccount | undefined;
  /** Address of the push service. */
  fcmUrl: URL;
  uploadMaxMb: number;
  /** Whether import jobs may read databases of this machine. */
  syncLocalSources: boolean;
  /** Whether import jobs may read sources inside the network. */
  syncPrivateSources: boolean;
  bodyMaxMb: number;
  /** Calls per minute from one network (0 = no limit). */
  rateLimit: number;
  shutdownSeconds: number;
  /** In which a body that is no file must be there. */
  bodySeconds: number;
  /** In which any request must be there, files too. */
  requestSeconds: number;
  /** How long a statement of a report may run. */
  reportSeconds: number;
  /** What has to stay free on the disk of the files. */
  diskReserveMb: number;
  watch: boolean;
  sessionTransport: 'bearer' | 'cookie';
  /** Hosts of the own network that clients may have the server call. */
  insideHosts: string[];
}

interface Variable<Key extends keyof Config> {
  name: string;
  key: Key;
  /** As a person would write it; shown in the README and by --help. */
  default: string;
  meaning: string;
  /** What to write, for the error. */
  expects: string;
  /** Its value is not repeated in the error. */
  secret?: boolean;
  /** undefined = not valid. `text` is the default's text when the variable is not set. */
  read: (text: string, env: NodeJS.ProcessEnv) => Config[Key] | undefined;
}

const root = join(import.meta.dirname, '../..');

function variable<Key extends keyof Config>(definition: Variable<Key>): Variable<keyof Config> {
  return definition as unknown as Variable<keyof Config>;
}

function whole(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

function flag(text: string): boolean | undefined {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  return /^(0|false|no|off)$/i.test(text) ? false : undefined;
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function oneOf<T extends string>(...values: T[]): (text: string) => T | undefined {
  return (text) => values.find((value) => value === text);
}

function addressOf(text: string, protocols: string[]): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return protocols.includes(url.protocol) ? url : undefined;
}

/** The members of a JSON file that must be texts; undefined = not readable, or one is missing. */
function membersOf<Name extends string>(path: string, names: readonly Name[]): Record<Name, string> | undefined {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    return names.every((name) => typeof file[name] === 'string' && file[name] !== '')
      ? (file as Record<Name, string>)
      : undefined;
  } catch {
    return undefined;
  }
}

function firebaseWeb(path: string): FirebaseWeb | undefined {
  const file = membersOf(path, ['apiKey', 'projectId', 'messagingSenderId', 'appId', 'vapidKey']);
  return (
    file && {
      apiKey: file.apiKey,
      projectId: file.projectId,
      messagingSenderId: file.messagingSenderId,
      appId: file.appId,
      vapidKey: file.vapidKey,
    }
  );
}

function firebaseAccount(path: string): FirebaseAccount | undefined {
  const file = membersOf(path, ['project_id', 'client_email', 'private_key', 'token_uri']);
  return file && URL.canParse(file.token_uri)
    ? {
        projectId: file.project_id,
        clientEmail: file.client_email,
        privateKey: file.private_key,
        tokenUri: file.token_uri,
      }
    : undefined;
}

/** Every setting of the server, in the order the README lists them. */
export const VARIABLES: Variable<keyof Config>[] = [
  variable({
    name: 'PORT',
    key: 'port',
    default: '3000',
    meaning: 'Port to listen on; 0 = any free one.',
    expects: 'a whole number from 0 to 65535',
    read: whole(0, 65_535),
  }),
  variable({
    name: 'HOST',
    key: 'hosts',
    default: '127.0.0.1,::1',
    meaning: 'Addresses to listen on. By default only this machine can connect; 0.0.0.0 opens it to the network.',
    expects: 'an IP address, or several with commas, e.g. 0.0.0.0',
    read: (text) => {
      const hosts = list(text.replace(/^localhost$/i, '127.0.0.1,::1'));
      return hosts.length > 0 && hosts.every((host) => isIP(host) !== 0) ? hosts : undefined;
    },
  }),
  variable({
    name: 'DATA_DIR',
    key: 'dataDir',
    default: './data',
    meaning: 'Folder of the embedded database, uploaded files and demo sign-ins.',
    expects: 'a folder, which is created if it does not exist',
    read: (text) => (existsSync(text) && !statSync(text).isDirectory() ? undefined : resolve(root, text)),
  }),
  variable({
    name: 'DATABASE_URL',
    secret: true,
    key: 'databaseUrl',
    default: '',
    meaning: 'PostgreSQL 15 or later to use instead of the embedded one.',
    expects: 'postgres://user:password@host:5432/database',
    read: (text) => (addressOf(text, ['postgres:', 'postgresql:']) ? text : undefined),
  }),
  variable({
    name: 'DEMO',
    key: 'demo',
    default: '1, or 0 with DATABASE_URL',
    meaning: 'Whether the first start creates the demo company and its sign-ins.',
    expects: '1 or 0',
    read: (text, env) => (text === '' ? !env.DATABASE_URL : flag(text)),
  }),
  variable({
    name: 'DEMO_PASSWORD',
    secret: true,
    key: 'demoPassword',
    default: '',
    meaning: 'Password of all demo sign-ins; random when not set. Kept in DATA_DIR/demo-sign-ins.txt.',
    expects: '10 to 128 characters',
    read: (text) => (text.trim().length >= 10 && text.length <= 128 ? text.trim() : undefined),
  }),
  variable({
    name: 'BASE_DOMAINS',
    key: 'baseDomains',
    default: 'localhost,mainstay.example',
    meaning: 'Base domains; every client has a sub-domain of each: acme.mainstay.example.',
    expects: 'domain names with commas, e.g. localhost,mainstay.example',
    read: (text) => {
      const names = list(text.toLowerCase());
      return names.length > 0 && names.every((name) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name))
        ? names
        : undefined;
    },
  }),
  variable({
    name: 'PUBLIC_URL',
    key: 'publicUrl',
    default: '',
    meaning: 'Public address behind a proxy. With https:, browsers are instructed to stay on https (HSTS).',
    expects: 'http://… or https://…',
    read: (text) => addressOf(text, ['http:', 'https:']),
  }),
  variable({
    name: 'TRUSTED_PROXIES',
    key: 'trustedProxies',
    default: '',
    meaning: 'Proxies whose X-Forwarded-For, -Host and -Proto headers are trusted.',
    expects: 'IP addresses or networks with commas, e.g. 10.0.0.0/8',
    read: (text) => {
      const networks = list(text);
      return networks.every(isNetwork) ? networks : undefined;
    },
  }),
  variable({
    name: 'ENVIRONMENT',
    key: 'environment',
    default: 'production',
    meaning: 'Environment name in /config.json; production hides menu items that are not released.',
    expects: 'production, development, lan, lan_secure or local',
    read: oneOf('production', 'development', 'lan', 'lan_secure', 'local'),
  }),
  variable({
    name: 'LOG_LEVEL',
    key: 'logLevel',
    default: 'info',
    meaning: 'Log level. The log has one JSON object per line.',
    expects: 'fatal, error, warn, info, debug, trace or silent',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  variable({
    name: 'SCHEMAS_DIR',
    key: 'schemasDir',
    default: './schemas',
    meaning: 'Folder of the descriptors.',
    expects: 'an existing folder',
    read: (text) =>
      existsSync(resolve(root, text)) && statSync(resolve(root, text)).isDirectory() ? resolve(root, text) : undefined,
  }),
  variable({
    name: 'WATCH_SCHEMAS',
    key: 'watch',
    default: '1',
    meaning: 'Whether a changed descriptor takes effect without a restart.',
    expects: '1 or 0',
    read: flag,
  }),
  variable({
    name: 'SESSION_TRANSPORT',
    key: 'sessionTransport',
    default: 'bearer',
    meaning: 'How browsers store the session: a bearer token, or a cookie that scripts cannot read.',
    expects: 'bearer or cookie',
    read: oneOf('bearer', 'cookie'),
  }),
  variable({
    name: 'INSIDE_HOSTS',
    key: 'insideHosts',
    default: '',
    meaning:
      'Hosts inside the network that clients’ webhooks, mail accounts and speech engine may connect to, even without TLS. Without it they can connect to public addresses only.',
    expects: 'host names or IP addresses with commas, without port, e.g. erp.intranet,10.0.0.7',
    read: (text) => {
      const hosts = list(text.toLowerCase());
      return hosts.every((host) => isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host))
        ? hosts
        : undefined;
    },
  }),
  variable({
    name: 'METRICS_TOKEN',
    secret: true,
    key: 'metricsToken',
    default: '',
    meaning: 'Bearer token for /metrics from other machines; without it only this machine may read them.',
    expects: '16 characters or more',
    read: (text) => (text.length >= 16 ? text : undefined),
  }),
  variable({
    name: 'SMTP_URL',
    secret: true,
    key: 'smtpUrl',
    default: '',
    meaning:
      'Mail account of the platform, for clients without one of their own: smtp://user:password@host:587 (STARTTLS), smtps://… (TLS), or smtp://host:25?tls=none.',
    expects: 'smtp://… or smtps://…',
    read: (text) => addressOf(text, ['smtp:', 'smtps:']),
  }),
  variable({
    name: 'MAIL_FROM',
    key: 'mailFrom',
    default: 'Mainstay <no-reply@mainstay.example>',
    meaning: 'Sender of the platform’s mails.',
    expects: 'Name <address@domain>, or an address',
    read: (text) => (/^([^<>@]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(text) ? text : undefined),
  }),
  variable({
    name: 'FIREBASE_CONFIG',
    key: 'firebase',
    default: '',
    meaning:
      'File with the settings of the Firebase web application for push messages, and its Web Push key as vapidKey. Without it, push messages are not offered.',
    expects: 'a JSON file with apiKey, projectId, messagingSenderId, appId and vapidKey',
    read: firebaseWeb,
  }),
  variable({
    name: 'FIREBASE_SERVICE_ACCOUNT',
    key: 'firebaseAccount',
    default: '',
    meaning:
      'File with the key of the service account that sends push messages, as downloaded from the Firebase console.',
    expects: 'a JSON file with project_id, client_email, private_key and token_uri',
    read: firebaseAccount,
  }),
  variable({
    name: 'FCM_URL',
    key: 'fcmUrl',
    default: 'https://fcm.googleapis.com',
    meaning: 'Address of the push service.',
    expects: 'http://… or https://…',
    read: (text) => addressOf(text, ['http:', 'https:']),
  }),
  variable({
    name: 'BODY_MAX_MB',
    key: 'bodyMaxMb',
    default: '4',
    meaning: 'Largest JSON body.',
    expects: 'a whole number from 1 to 64',
    read: whole(1, 64),
  }),
  variable({
    name: 'UPLOAD_MAX_MB',
    key: 'uploadMaxMb',
    default: '25',
    meaning: 'Largest uploaded file.',
    expects: 'a whole number from 1 to 500',
    read: whole(1, 500),
  }),
  variable({
    name: 'SYNC_LOCAL_SOURCES',
    key: 'syncLocalSources',
    default: '0',
    meaning: 'Whether import jobs may read databases on this machine.',
    expects: '0 or 1',
    read: flag,
  }),
  variable({
    name: 'SYNC_PRIVATE_SOURCES',
    key: 'syncPrivateSources',
    default: '1',
    meaning:
      'Whether import jobs may read sources inside the network where the client says so. Set 0 when the clients are not part of your own organisation.',
    expects: '0 or 1',
    read: flag,
  }),
  variable({
    name: 'RATE_LIMIT',
    key: 'rateLimit',
    default: '6000',
    meaning: 'Calls per minute allowed from one address; 0 = no limit.',
    expects: 'a whole number from 0 to 1000000',
    read: whole(0, 1_000_000),
  }),
  variable({
    name: 'SHUTDOWN_SECONDS',
    key: 'shutdownSeconds',
    default: '20',
    meaning: 'How long calls in progress may take to finish when the server stops.',
    expects: 'a whole number from 1 to 300',
    read: whole(1, 300),
  }),
  variable({
    name: 'BODY_SECONDS',
    key: 'bodySeconds',
    default: '60',
    meaning: 'How long the body of a call may take to arrive before it gets 408.',
    expects: 'a whole number from 1 to 600',
    read: whole(1, 600),
  }),
  variable({
    name: 'REQUEST_SECONDS',
    key: 'requestSeconds',
    default: '300',
    meaning: 'How long a whole request may take to arrive, uploads included.',
    expects: 'a whole number from 20 to 3600',
    read: whole(20, 3_600),
  }),
  variable({
    name: 'REPORT_SECONDS',
    key: 'reportSeconds',
    default: '30',
    meaning:
      'How long one SQL statement of a report may run. A longer one is cancelled, and the reader is asked to narrow the report.',
    expects: 'a whole number from 1 to 600',
    read: whole(1, 600),
  }),
  variable({
    name: 'DISK_RESERVE_MB',
    key: 'diskReserveMb',
    default: '100',
    meaning: 'Minimum free space on the disk of DATA_DIR. Below it the server is not ready and accepts no files.',
    expects: 'a whole number from 1 to 1000000000',
    read: whole(1, 1_000_000_000),
  }),
];

/** Variables whose absence means "not set" rather than their default's text. */
const unset: Partial<Config> = {
  databaseUrl: undefined,
  demoPassword: undefined,
  publicUrl: undefined,
  metricsToken: undefined,
  smtpUrl: undefined,
  firebase: undefined,
  firebaseAccount: undefined,
};

/** A setting that cannot be used: one line a mistake, each with variable, value and what to write. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads and checks every variable; throws {@link ConfigError} with all mistakes at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const config: Record<string, unknown> = { ...unset };
  const mistakes: string[] = [];
  for (const { name, key, default: byDefault, expects, secret, read } of VARIABLES) {
    const given = env[name]?.trim() ?? '';
    if (given === '' && key in unset) continue;
    const value = read(given === '' && key !== 'demo' ? byDefault : given, env);
    if (value === undefined) mistakes.push(`${name} is ${secret ? 'not valid' : `"${given}"`}. Write ${expects}.`);
    else config[key] = value;
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return config as unknown as Config;
}

/** The table of variables for `--help`. */
export function describeVariables(): string {
  const width = Math.max(...VARIABLES.map(({ name }) => name.length));
  return VARIABLES.map(
    ({ name, default: byDefault, meaning }) =>
      `  ${name.padEnd(width)}  ${meaning}${byDefault === '' ? '' : ` Default: ${byDefault}.`}`,
  ).join('\n');
}
