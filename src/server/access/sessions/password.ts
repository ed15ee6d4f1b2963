import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../db/errors.ts';
import type { ClientSettings } from '../../services/settings/client_settings.ts';
import { SETTING_DEFAULTS } from '../../services/settings/client_settings.ts';
import { COMMON_PASSWORDS } from './common_passwords.ts';

/** Algorithm 2 is argon2id; the package's enum cannot be imported by name here. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
const MAX_LENGTH = 128;

/** A client's password requirements. */
export type PasswordRules = Pick<ClientSettings, 'password_min_length' | 'trim_password'>;

/**
 * The normalised password for hashing: NFKC, and without outer spaces unless they count for the client; the same for
 * setting and checking.
 */
function normalPassword(password: string, trim = true): string {
  const normal = password.normalize('NFKC');
  return trim ? normal.trim() : normal;
}

// Hashing occupies a core for some milliseconds: at most one per core at a time, the others queue.
let free = availableParallelism();
const waiting: (() => void)[] = [];

async function oneCore<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

/** argon2id in PHC form. `salt` is for tests of the known vector. */
export function hashPassword(password: string, salt?: Buffer, trim = true): Promise<string> {
  return oneCore(() => hash(normalPassword(password, trim), { ...PARAMETERS, ...(salt && { salt }) }));
}

let dummy: Promise<string> | undefined;

/**
 * Whether the password is correct; `phc` null takes the same time, so that an unknown user cannot be distinguished from
 * a wrong password.
 */
export async function isPassword(password: string, phc: string | null, trim = true): Promise<boolean> {
  dummy ??= hashPassword('nobody has this password');
  const against = phc ?? (await dummy);
  const is = (given: string) => oneCore(() => verify(against, given)).catch(() => false);
  const given = normalPassword(password, trim);
  const whole = normalPassword(password, false);
  // A password chosen while outer spaces counted remains valid after they no longer do.
  const right = (await is(given)) || (whole !== given && (await is(whole)));
  return right && phc !== null;
}

/** True if the stored hash was created with weaker parameters than the current ones. */
export function needsRehash(phc: string): boolean {
  return !phc.startsWith(
    `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`,
  );
}

/**
 * Why a new password is refused, as a message for its owner; null = accepted. `names`: texts that it must not contain.
 */
export function passwordProblem(
  password: string,
  names: string[],
  rules: PasswordRules = SETTING_DEFAULTS,
): string | null {
  const given = normalPassword(password, rules.trim_password);
  const length = Array.from(given).length;
  if (length < rules.password_min_length) return `A password needs at least ${rules.password_min_length} characters.`;
  if (length > MAX_LENGTH) return `A password has at most ${MAX_LENGTH} characters.`;
  const lower = given.trim().toLowerCase();
  if (COMMON_PASSWORDS.has(lower) || new Set(lower).size < 3)
    return 'This password is one of the most common ones. Choose another.';
  for (const name of names) {
    for (const word of name
      .normalize('NFKC')
      .toLowerCase()
      .split(/[\s@._-]+/)) {
      if (word.length >= 4 && lower.includes(word)) return 'A password may not contain your name, e-mail or company.';
    }
  }
  return null;
}

/** {@link passwordProblem} as an error, including reuse of the last five. */
export async function checkNewPassword(
  password: string,
  names: string[],
  previous: string[],
  rules: PasswordRules = SETTING_DEFAULTS,
): Promise<void> {
  const problem = passwordProblem(password, names, rules);
  if (problem) throw refused(problem);
  for (const phc of previous.slice(0, 5)) {
    if (await isPassword(password, phc, rules.trim_password))
      throw refused('This is one of your last five passwords. Choose another.');
  }
}

function refused(message: string): AppError {
  return new AppError(422, 'invalid', message, { field: 'password', details: [{ field: 'password', message }] });
}
