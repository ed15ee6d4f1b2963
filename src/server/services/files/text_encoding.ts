import { isUtf8 } from 'node:buffer';

/** How a text is stored. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * The encoding of a text: from its byte order mark, otherwise UTF-8 if valid, otherwise Windows-1252, in which Excel
 * for Windows saves CSV. Null = not a text.
 */
export function textEncoding(bytes: Uint8Array): TextEncoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  // Control characters that do not occur in text, mainly the zero bytes of other formats.
  if (bytes.subarray(0, 4_096).some((byte) => byte < 9)) return null;
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** The decoded text without its byte order mark; null = not a text. */
export function decodeText(bytes: Uint8Array): string | null {
  const encoding = textEncoding(bytes);
  return encoding === null ? null : new TextDecoder(encoding).decode(bytes);
}
