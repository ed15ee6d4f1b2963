import { crc32, deflateSync } from 'node:zlib';

/** Red, green, blue. */
type Colour = [number, number, number];
/** Whether a point is inside the figure; x and y from -1 to 1, y downwards. */
type Figure = (x: number, y: number) => boolean;

const SAMPLES = 4;

const FIGURES: Figure[] = [
  // Two arrows, up and down: a lift.
  (x, y) =>
    (Math.abs(x) < 0.55 && y < -0.12 && y > -0.6 && Math.abs(x) < (y + 0.6) * 1.15) ||
    (Math.abs(x) < 0.55 && y > 0.12 && y < 0.6 && Math.abs(x) < (0.6 - y) * 1.15),
  (x, y) => Math.abs(x) + Math.abs(y) < 0.62 && Math.abs(x) + Math.abs(y) > 0.3,
  (x, y) => Math.hypot(x, y) < 0.58 && Math.hypot(x, y) > 0.32,
  (x, y) =>
    Math.abs(x) < 0.56 &&
    Math.abs(y) < 0.56 &&
    Math.floor((x + 0.56) / 0.16) % 2 === 0 &&
    y > -0.5 + Math.floor((x + 0.56) / 0.16) * 0.08,
  (x, y) => Math.hypot(x, y) < 0.6 && Math.hypot(x - 0.22, y - 0.1) > 0.46,
  (x, y) => y > -0.55 && y < 0.5 && Math.abs(x) < (y + 0.55) * 0.58 && !(y > 0.1 && Math.abs(x) < 0.14),
];

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A square PNG whose pixels come from `pixel`: red, green, blue, opacity. */
export function png(
  width: number,
  height: number,
  pixel: (x: number, y: number) => [number, number, number, number],
): Buffer {
  const lines = Buffer.alloc(height * (1 + width * 4));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines.set(pixel(x, y), y * (1 + width * 4) + 1 + x * 4);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits, red, green, blue and opacity.
  head.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A sample logo: a white figure on a rounded square of the colour, `#rrggbb`. */
export function emblem(size: number, colour: string, figure: number): Buffer {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as Colour;
  const inside = FIGURES[figure % FIGURES.length]!;
  const rounded: Figure = (x, y) => Math.hypot(Math.max(0, Math.abs(x) - 0.62), Math.max(0, Math.abs(y) - 0.62)) < 0.36;
  return png(size, size, (px, py) => {
    let [ground, white] = [0, 0];
    for (let sub = 0; sub < SAMPLES * SAMPLES; sub++) {
      const x = ((px + ((sub % SAMPLES) + 0.5) / SAMPLES) / size) * 2 - 1;
      const y = ((py + (Math.floor(sub / SAMPLES) + 0.5) / SAMPLES) / size) * 2 - 1;
      if (!rounded(x, y)) continue;
      ground++;
      if (inside(x, y)) white++;
    }
    const share = ground === 0 ? 0 : white / ground;
    const mix = (value: number) => Math.round(value + (255 - value) * share);
    return [mix(red), mix(green), mix(blue), Math.round((ground / (SAMPLES * SAMPLES)) * 255)];
  });
}
