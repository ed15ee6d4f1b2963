import { fileTypeFromBuffer } from 'file-type';
import { textEncoding } from './text_encoding.ts';

/** Kinds of content that the product accepts as they are called. */
const ACCEPTED =
  /^(image\/(png|jpeg|gif|webp)|audio\/(wav|mpeg|mp4|ogg|aac|flac)|video\/(mp4|webm|ogg|quicktime|3gpp)|application\/(pdf|zip|vnd\.openxmlformats-officedocument\.(spreadsheetml\.sheet|wordprocessingml\.document|presentationml\.presentation)|vnd\.oasis\.opendocument\.(spreadsheet|text)))$/;
/** The other names of such kinds. */
const RENAMED: Record<string, string> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'video/x-m4v': 'video/mp4',
  'video/matroska': 'video/webm',
  'application/x-matroska': 'video/webm',
};
/** Office documents of old are one kind of container: their name says which. */
const OLD_OFFICE: ReadonlyMap<string, string> = new Map([
  ['xls', 'application/vnd.ms-excel'],
  ['doc', 'application/msword'],
]);
// HTML, SVG and scripts are text like any other here: they are never sent with a type a browser would run.
const TEXT_KINDS: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
]);

/**
 * What a file really is, from its first bytes: the name and the browser's word are not believed.
 * Null for content that is none of the kinds the product accepts.
 */
export async function contentType(head: Uint8Array, name: string): Promise<string | null> {
  const extension = name.toLowerCase().split('.').pop() ?? '';
  const found = (await fileTypeFromBuffer(head))?.mime.split(';')[0];
  if (found === 'application/x-cfb') return OLD_OFFICE.get(extension) ?? null;
  // Telephones write sound alone as a film too.
  if (found === 'video/mp4' && extension === 'm4a') return 'audio/mp4';
  const type = found && (RENAMED[found] ?? found);
  if (type && ACCEPTED.test(type)) return type;
  return isText(head, extension) ? (TEXT_KINDS.get(extension) ?? 'text/plain') : null;
}

/** Names of texts that programs save in other encodings than UTF-8. */
const ANY_ENCODING = new Set(['csv', 'tsv', 'txt']);

function isText(bytes: Uint8Array, extension: string): boolean {
  const head = bytes.subarray(0, 4096);
  if (ANY_ENCODING.has(extension)) return textEncoding(head) !== null;
  if (head.includes(0)) return false;
  try {
    // A cut in the middle of a character at the end is no fault of the file's.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Kinds that a browser may show in the page; all else is downloaded. */
export function shownInline(type: string): boolean {
  return /^(image\/(png|jpeg|gif|webp)|application\/pdf|audio\/|video\/)/.test(type);
}
