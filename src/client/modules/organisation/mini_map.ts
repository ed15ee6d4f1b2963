import type { ChartLayout } from '../../../domain/organisation/chart_layout.ts';
import { CARD } from '../../../domain/organisation/chart_layout.ts';
import type { ChartColours, Drawing, View } from './chart_drawing.ts';

const MARGIN = 6;

/** The small map of the whole chart with the visible part. Its cards are drawn once for each layout. */
export class MiniMap {
  #cards: { layout: ChartLayout; moved: ReadonlySet<number>; key: string; picture: HTMLCanvasElement } | null = null;
  #scale = 1;
  #left = 0;
  #top = 0;

  /** The point of the chart at a point of the map. */
  pointAt(x: number, y: number): { x: number; y: number } {
    return { x: (x - this.#left) / this.#scale, y: (y - this.#top) / this.#scale };
  }

  draw(
    element: HTMLCanvasElement,
    { layout, moved }: Pick<Drawing, 'layout' | 'moved'>,
    colours: ChartColours,
    view: View,
    [chartWidth, chartHeight]: readonly [number, number],
  ): void {
    const context = element.getContext('2d');
    const [width, height] = [element.clientWidth, element.clientHeight];
    if (!context || width === 0) return;
    const pixels = window.devicePixelRatio || 1;
    const [across, down] = [Math.round(width * pixels), Math.round(height * pixels)];
    if (element.width !== across || element.height !== down) [element.width, element.height] = [across, down];
    this.#scale = Math.min((width - 2 * MARGIN) / layout.width, (height - 2 * MARGIN) / layout.height);
    this.#left = (width - layout.width * this.#scale) / 2;
    this.#top = (height - layout.height * this.#scale) / 2;
    const key = `${across} ${down} ${colours.page} ${colours.line}`;
    if (this.#cards?.layout !== layout || this.#cards.moved !== moved || this.#cards.key !== key)
      this.#cards = { layout, moved, key, picture: this.#drawCards(element, layout, moved, colours, pixels) };
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#cards.picture, 0, 0);
    context.setTransform(pixels, 0, 0, pixels, 0, 0);
    const [x, y] = [this.#left + view.x * this.#scale, this.#top + view.y * this.#scale];
    const part: [number, number, number, number] = [
      Math.max(1, x),
      Math.max(1, y),
      Math.min(width - 1, x + (chartWidth / view.scale) * this.#scale) - Math.max(1, x),
      Math.min(height - 1, y + (chartHeight / view.scale) * this.#scale) - Math.max(1, y),
    ];
    context.globalAlpha = 0.15;
    context.fillStyle = colours.brand;
    context.fillRect(...part);
    context.globalAlpha = 1;
    context.strokeStyle = colours.brand;
    context.strokeRect(...part);
  }

  #drawCards(
    { width, height }: HTMLCanvasElement,
    layout: ChartLayout,
    moved: ReadonlySet<number>,
    colours: ChartColours,
    pixels: number,
  ): HTMLCanvasElement {
    const picture = document.createElement('canvas');
    [picture.width, picture.height] = [width, height];
    const context = picture.getContext('2d')!;
    context.fillStyle = colours.card;
    context.fillRect(0, 0, width, height);
    context.setTransform(pixels, 0, 0, pixels, this.#left * pixels, this.#top * pixels);
    const [across, down] = [Math.max(1, CARD.width * this.#scale), Math.max(1, CARD.height * this.#scale)];
    for (let at = 0; at < layout.ids.length; at++) {
      context.fillStyle = moved.has(layout.ids[at]!) ? colours.moved : colours.line;
      context.fillRect(layout.x[at]! * this.#scale, layout.y[at]! * this.#scale, across, down);
    }
    return picture;
  }
}
