import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Prefix of an encrypted column's text; anything else was stored before the column was encrypted. */
export const SEALED = 'aes:';

/** Encrypts a text with AES-256-GCM, in base64. It can only be decrypted with the same `place`. */
export function seal(text: string, key: Buffer, place: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** Decrypts a text. @throws if key or place differ, or the text was changed */
export function unseal(sealed: string, key: Buffer, place: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

/** Fields that a descriptor calls `"x-secret": "encrypted"`, as columns hold them. `place` is `type.field` or `type.rows.column`. */
export interface Vault {
  seal(text: string, place: string): string;
  /** null = nothing stored, or stored by an installation with another key: it must be entered again. */
  open(stored: string | null, place: string): string | null;
}

export function createVault(key: Buffer): Vault {
  return {
    seal: (text, place) => SEALED + seal(text, key, place),
    open(stored, place) {
      if (stored === null || !stored.startsWith(SEALED)) return stored;
      try {
        return unseal(stored.slice(SEALED.length), key, place);
      } catch {
        return null;
      }
    },
  };
}
