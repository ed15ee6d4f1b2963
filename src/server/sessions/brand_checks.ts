import { READABLE_CONTRAST, contrastWithWhite } from '../../domain/contrast.ts';
import type { FieldError } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { quoted } from '../db/names.ts';

const PICTURES = {
  logo: { types: ['image/png', 'image/jpeg', 'image/webp'], kb: 200, message: 'A logo is a PNG, JPEG or WebP picture of at most 200 kB' },
  icon: { types: ['image/png'], kb: 100, message: 'An icon is a PNG picture of at most 100 kB' },
} as const;

/** What is wrong with a look: a colour on which white text cannot be read, a picture of the wrong kind or size. */
export async function lookErrors({ tenant }: Session, record: Record<string, unknown>): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const { primary_color: colour } = record;
  if (typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour)) {
    const contrast = contrastWithWhite(colour);
    // Cut, not rounded: 4.49 must not read as enough.
    if (contrast < READABLE_CONTRAST)
      errors.push({ field: 'primary_color', message: `White text on ${colour} has a contrast of ${(Math.floor(contrast * 100) / 100).toFixed(2)} : 1; it needs ${READABLE_CONTRAST} : 1. Choose a darker colour.` });
  }
  for (const [field, { types, kb, message }] of Object.entries(PICTURES)) {
    if (typeof record[field] !== 'number') continue;
    const [file] = await tenant.db.query<{ type: string; size: number }>(`select type, size from ${quoted(tenant.schema)}.file where id = $1`, [record[field]]);
    if (!file) errors.push({ field, message: 'This picture is not there any more. Choose it again.' });
    else if (!(types as readonly string[]).includes(file.type) || file.size > kb * 1024)
      errors.push({ field, message: `${message}; this one is ${file.type} of ${Math.ceil(file.size / 1024)} kB.` });
  }
  return errors;
}
