import { fileTypeFromBuffer } from 'file-type';
import { textEncoding } from './text_encoding.ts';

/** The accepted content types by their standard names. */
const ACCEPTED =
  /^(image\/(png|jpeg|gif|webp)|audio\/(wav|mpeg|mp4|ogg|aac|flac)|video\/(mp4|webm|ogg|quicktime|3gpp)|application\/(pdf|zip|vnd\.openxmlformats-officedocument\.(spreadsheetml\.sheet|wordprocessingml\.document|presentationml\.presentation)|vnd\.oasis\.opendocument\.(spreadsheet|text)))$/;
/** Other names of these types. */
const RENAMED: Record<string, string> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'video/x-m4v': 'video/mp4',
  'video/matroska': 'video/webm',
  'application/x-matroska': 'video/webm',
};
/** Old Office documents share one container format: the file name decides. */
const OLD_OFFICE: ReadonlyMap<string, string> = new Map([
  ['xls', 'application/vnd.ms-excel'],
  ['doc', 'application/msword'],
]);
// HTML, SVG and scripts are treated as plain text: they are never sent with a type that a browser would execute.
const TEXT_KINDS: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
]);

/**
 * The real type of a file, from its first bytes: the name and the browser's type are not trusted. Null for types that
 * the product does not accept.
 */
export async function contentType(head: Uint8Array, name: string): Promise<string | null> {
  const extension = name.toLowerCase().split('.').pop() ?? '';
  const found = (await fileTypeFromBuffer(head))?.mime.split(';')[0];
  if (found === 'application/x-cfb') return OLD_OFFICE.get(extension) ?? null;
  // Phones store audio in video containers too.
  if (found === 'video/mp4' && extension === 'm4a') return 'audio/mp4';
  const type = found && (RENAMED[found] ?? found);
  if (type && ACCEPTED.test(type)) return type;
  return isText(head, extension) ? (TEXT_KINDS.get(extension) ?? 'text/plain') : null;
}

/** Names of text formats that programs save in encodings other than UTF-8. */
const ANY_ENCODING = new Set(['csv', 'tsv', 'txt']);

function isText(bytes: Uint8Array, extension: string): boolean {
  const head = bytes.subarray(0, 4096);
  if (ANY_ENCODING.has(extension)) return textEncoding(head) !== null;
  if (head.includes(0)) return false;
  try {
    // A character cut off at the end of the sample is not an error.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Types that a browser may show inline; all others are downloaded. */
export function shownInline(type: string): boolean {
  return /^(image\/(png|jpeg|gif|webp)|application\/pdf|audio\/|video\/)/.test(type);
}
