import { READABLE_CONTRAST, contrastWithWhite } from '../../../domain/contrast.ts';
import type { FieldError } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { pictureSize } from '../../services/files/pictures.ts';
import type { FileStore } from '../../services/files/store.ts';
import { quoted } from '../../db/names.ts';

/** Pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/** The minimum and the useful maximum of pixels of an icon. */
const ICON_PIXELS = { min: 32, max: 1024 };
/** The maximum aspect ratio of an icon. */
const ICON_RATIO = 1.05;
/** The maximum aspect ratio of a logo: beyond it, it is a thin line in the top bar. */
const LOGO_RATIO = 8;

/** The error in the proportions of a logo or icon. */
function shapeError(field: string, size: PictureSize | null): string | null {
  if (!size) return 'This file cannot be read as a picture. Choose another one.';
  const { width, height } = size;
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (field === 'logo')
    return ratio > LOGO_RATIO
      ? `A logo is at most ${LOGO_RATIO} times as wide as high; this one has ${width} × ${height} pixels.`
      : null;
  if (ratio > ICON_RATIO) return `An icon is square; this one has ${width} × ${height} pixels. Crop it to a square.`;
  if (width < ICON_PIXELS.min || width > ICON_PIXELS.max)
    return `An icon is ${ICON_PIXELS.min} to ${ICON_PIXELS.max} pixels wide; this one has ${width} × ${height}.`;
  return null;
}

const PICTURES = {
  logo: {
    types: ['image/png', 'image/jpeg', 'image/webp'],
    kb: 200,
    message: 'A logo is a PNG, JPEG or WebP picture of at most 200 kB',
  },
  icon: { types: ['image/png'], kb: 100, message: 'An icon is a PNG picture of at most 100 kB' },
} as const;

/** The errors in a brand: a colour on which white text is unreadable, a picture of the wrong format or size. */
export async function lookErrors(
  { tenant }: Session,
  record: Record<string, unknown>,
  files: FileStore,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const { primary_color: colour } = record;
  if (typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour)) {
    const contrast = contrastWithWhite(colour);
    // Cut, not rounded: 4.49 must not read as enough.
    if (contrast < READABLE_CONTRAST)
      errors.push({
        field: 'primary_color',
        message: `White text on ${colour} has a contrast of ${(Math.floor(contrast * 100) / 100).toFixed(2)} : 1; it needs ${READABLE_CONTRAST} : 1. Choose a darker colour.`,
      });
  }
  for (const [field, { types, kb, message }] of Object.entries(PICTURES)) {
    if (typeof record[field] !== 'number') continue;
    const [file] = await tenant.db.query<{ type: string; size: number }>(
      `select type, size from ${quoted(tenant.schema)}.file where id = $1`,
      [record[field]],
    );
    if (!file) errors.push({ field, message: 'This picture no longer exists. Choose it again.' });
    else if (!(types as readonly string[]).includes(file.type) || file.size > kb * 1024)
      errors.push({ field, message: `${message}; this one is ${file.type} of ${Math.ceil(file.size / 1024)} kB.` });
    else {
      const { path } = await files.open(tenant, record[field]);
      const wrong = shapeError(field, await pictureSize(path));
      if (wrong) errors.push({ field, message: wrong });
    }
  }
  return errors;
}
