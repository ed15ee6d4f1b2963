import { png } from './emblem.ts';

const [WIDTH, HEIGHT, INK] = [240, 80, 2.2];

/** A sample signature: loops of ink that become smaller, on a transparent ground. */
export function signature(): Buffer {
  const inks = Array.from({ length: 1_200 }, (_, at) => {
    const part = at / 1_200;
    const size = 24 * (1 - part) + 4;
    return { x: 20 + 200 * part + size * 0.5 * Math.cos(at / 30), y: HEIGHT / 2 + size * Math.sin(at / 30) };
  });
  return png(WIDTH, HEIGHT, (x, y) => [
    20,
    30,
    90,
    inks.some((ink) => Math.hypot(ink.x - x, ink.y - y) < INK / 2) ? 255 : 0,
  ]);
}
