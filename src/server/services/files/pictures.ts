import sharp from 'sharp';

// Of all that the library can read, the pictures that the product takes; nothing is kept of one that is done.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
sharp.cache(false);
// Beside the process that answers calls one processor at most works on pictures.
sharp.concurrency(1);

/** Bytes of a picture and what kind of picture they are. */
export interface SmallPicture {
  type: string;
  bytes: Uint8Array;
}

/** A picture of few bytes can unpack to more than a machine holds; so much is unpacked. */
export const MAX_MEGAPIXELS = 40;
/** A picture that stays too large in bytes becomes smaller still. */
const SIDES = [256, 192, 128, 96];
const MAX_SECONDS = 30;

/** Width and height as a picture's head gives them; null for what is not a picture. Nothing is unpacked. */
export async function pictureSize(path: string): Promise<{ width: number; height: number } | null> {
  try {
    const { width, height } = await sharp(path, { limitInputPixels: false }).metadata();
    return { width, height };
  } catch {
    return null;
  }
}

/** The picture upright, at most 256 pixels a side and `maxBytes` long. Works in the library's own threads. */
export async function smallPicture(path: string, maxBytes: number): Promise<SmallPicture> {
  const { data, info } = await sharp(path, { limitInputPixels: MAX_MEGAPIXELS * 1_000_000, failOn: 'error' })
    .timeout({ seconds: MAX_SECONDS })
    .autoOrient()
    .resize(fitting(SIDES[0]!))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture = () => sharp(data, { raw: info });
  const { isOpaque } = await picture().stats();
  for (const side of SIDES) {
    const resized = picture().resize(fitting(side));
    const bytes = await (isOpaque ? resized.jpeg() : resized.png()).toBuffer();
    if (bytes.length <= maxBytes) return { type: isOpaque ? 'image/jpeg' : 'image/png', bytes };
  }
  throw new Error('It cannot be reduced enough.');
}

const fitting = (side: number) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const;

/** Pixels a side that a picture on paper needs at most. */
const PAPER_SIDE = 1_600;

/** The picture upright, as a data URL of the kinds that a PDF takes. */
export async function paperPicture(path: string): Promise<string> {
  const picture = sharp(path, { limitInputPixels: MAX_MEGAPIXELS * 1_000_000, failOn: 'error' })
    .timeout({ seconds: MAX_SECONDS })
    .autoOrient()
    .resize(fitting(PAPER_SIDE));
  const { isOpaque } = await picture.clone().stats();
  const bytes = await (isOpaque ? picture.jpeg({ quality: 85 }) : picture.png()).toBuffer();
  return `data:image/${isOpaque ? 'jpeg' : 'png'};base64,${bytes.toString('base64')}`;
}
