import sharp from 'sharp';

// Of the library's formats, only those that the product accepts; its cache is disabled.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
sharp.cache(false);
// At most one processor works on pictures, beside the process that answers calls.
sharp.concurrency(1);

/** The bytes of a picture and its format. */
export interface SmallPicture {
  type: string;
  bytes: Uint8Array;
}

/** A small picture can unpack to more than a machine's memory; the maximum that is unpacked. */
export const MAX_MEGAPIXELS = 40;
/** A picture whose file is still too large is reduced further. */
const SIDES = [256, 192, 128, 96];
const MAX_SECONDS = 30;

/** Width and height from a picture's header; null if it is not a picture. Nothing is unpacked. */
export async function pictureSize(path: string): Promise<{ width: number; height: number } | null> {
  try {
    const { width, height } = await sharp(path, { limitInputPixels: false }).metadata();
    return { width, height };
  } catch {
    return null;
  }
}

/** The picture rotated upright, at most 256 pixels per side and `maxBytes` long. Runs in the library's own threads. */
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

/** The maximum size in pixels of a printed picture. */
const PAPER_SIDE = 1_600;

/** The picture rotated upright, as a data URL in a format that PDF supports. */
export async function paperPicture(path: string): Promise<string> {
  const picture = sharp(path, { limitInputPixels: MAX_MEGAPIXELS * 1_000_000, failOn: 'error' })
    .timeout({ seconds: MAX_SECONDS })
    .autoOrient()
    .resize(fitting(PAPER_SIDE));
  const { isOpaque } = await picture.clone().stats();
  const bytes = await (isOpaque ? picture.jpeg({ quality: 85 }) : picture.png()).toBuffer();
  return `data:image/${isOpaque ? 'jpeg' : 'png'};base64,${bytes.toString('base64')}`;
}
