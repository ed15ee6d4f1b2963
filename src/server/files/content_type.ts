/**
 * What a file really is, from its first bytes: the name and the browser's word are not believed.
 * Returns null for content that is none of the kinds the product accepts.
 */
export function contentType(bytes: Uint8Array, name: string): string | null {
  const starts = (...expected: number[]) => expected.every((byte, index) => bytes[index] === byte);
  const text = (from: number, length: number) => String.fromCharCode(...bytes.subarray(from, from + length));
  const extension = name.toLowerCase().split('.').pop() ?? '';
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (text(0, 4) === 'GIF8') return 'image/gif';
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP') return 'image/webp';
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WAVE') return 'audio/wav';
  if (text(0, 5) === '%PDF-') return 'application/pdf';
  if (starts(0x50, 0x4b, 0x03, 0x04)) return ZIP_KINDS[extension] ?? 'application/zip';
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) return OLE_KINDS[extension] ?? null;
  if (text(4, 4) === 'ftyp') return extension === 'm4a' ? 'audio/mp4' : 'video/mp4';
  if (starts(0x49, 0x44, 0x33) || starts(0xff, 0xfb)) return 'audio/mpeg';
  if (text(0, 4) === 'OggS') return 'audio/ogg';
  if (starts(0x1a, 0x45, 0xdf, 0xa3)) return 'video/webm';
  return looksLikeText(bytes) ? (TEXT_KINDS[extension] ?? 'text/plain') : null;
}

const ZIP_KINDS: Record<string, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
};
const OLE_KINDS: Record<string, string> = { xls: 'application/vnd.ms-excel', doc: 'application/msword' };
// HTML, SVG and scripts are text like any other here: they are never sent with a type a browser would run.
const TEXT_KINDS: Record<string, string> = { csv: 'text/csv', json: 'application/json', md: 'text/markdown' };

function looksLikeText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 4096);
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
