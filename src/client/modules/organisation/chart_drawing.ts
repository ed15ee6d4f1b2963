import { CARD, linkPoints } from '../../../domain/organisation/chart_layout.ts';
import type { ChartLayout, Direction } from '../../../domain/organisation/chart_layout.ts';
import type { ChartPerson, ChartTree } from '../../../domain/organisation/chart_tree.ts';
import type { CardField } from './card_fields.ts';
import { cardTexts } from './card_fields.ts';
import type { Layer } from './chart_layers.ts';
import { shadeColour } from './chart_layers.ts';

/** The visible part of the chart: left and top edge, and pixels per unit. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

export interface ChartColours {
  page: string;
  card: string;
  border: string;
  text: string;
  faint: string;
  line: string;
  brand: string;
  danger: string;
  moved: string;
  dark: boolean;
}

export interface Drawing {
  tree: ChartTree;
  layout: ChartLayout;
  direction: Direction;
  open: ReadonlySet<number>;
  layer: Layer;
  /** What a card shows below the name. */
  fields: readonly CardField[];
  colours: ChartColours;
  /** The selected person. */
  selected: number | null;
  /** The people on the highlighted path. */
  lit: ReadonlySet<number>;
  /** The people whom the plan moves. */
  moved: ReadonlySet<number>;
  /** The person who was cut, to be pasted below another. */
  cut: number | null;
  /** The dragged card with its corner, the card under it, and the cards on which it cannot be dropped. */
  dragged: { id: number; x: number; y: number; over: number | null; barred: ReadonlySet<number> } | null;
}

/** Below this scale a card has no text. */
const READABLE = 0.42;
/** Below this scale lines between cards are thinner than a pixel. */
const JOINED = 0.06;

/** Draws only the visible part. @returns how many cards were drawn */
export function drawChart(
  canvas: CanvasRenderingContext2D,
  { x: left, y: top, scale }: View,
  [width, height]: readonly [number, number],
  pixels: number,
  drawing: Drawing,
): number {
  const { tree, layout, direction, layer, colours, lit } = drawing;
  canvas.setTransform(pixels, 0, 0, pixels, 0, 0);
  canvas.fillStyle = colours.page;
  canvas.fillRect(0, 0, width, height);
  canvas.setTransform(pixels * scale, 0, 0, pixels * scale, -left * scale * pixels, -top * scale * pixels);
  const [right, bottom] = [left + width / scale, top + height / scale];
  const isSeen = (at: number) =>
    layout.x[at]! < right &&
    layout.x[at]! + CARD.width > left &&
    layout.y[at]! < bottom &&
    layout.y[at]! + CARD.height > top;

  if (scale > JOINED) {
    for (const isLit of [false, true]) {
      canvas.beginPath();
      for (let at = 0; at < layout.links.length; at += 2) {
        const [from, to] = [layout.links[at]!, layout.links[at + 1]!];
        if ((lit.has(layout.ids[from]!) && lit.has(layout.ids[to]!)) !== isLit) continue;
        const [x1, x2] = [
          Math.min(layout.x[from]!, layout.x[to]!),
          Math.max(layout.x[from]!, layout.x[to]!) + CARD.width,
        ];
        if (x1 > right || x2 < left || layout.y[from]! > bottom || layout.y[to]! + CARD.height < top) continue;
        const points = linkPoints(layout, at, direction);
        canvas.moveTo(points[0]!, points[1]!);
        for (let point = 2; point < points.length; point += 2) canvas.lineTo(points[point]!, points[point + 1]!);
      }
      canvas.strokeStyle = isLit ? colours.brand : colours.line;
      canvas.lineWidth = (isLit ? 2.5 : 1) / Math.min(1, scale);
      canvas.stroke();
    }
    drawDotted(canvas, drawing, scale);
  }

  let drawn = 0;
  canvas.textBaseline = 'alphabetic';
  for (let at = 0; at < layout.ids.length; at++) {
    if (!isSeen(at)) continue;
    drawn++;
    const id = layout.ids[at]!;
    canvas.globalAlpha = drawing.dragged?.barred.has(id) || id === drawing.cut ? 0.35 : 1;
    drawCard(canvas, drawing, at, scale, tree.people.get(id)!, layer, colours);
  }
  canvas.globalAlpha = 1;
  if (drawing.dragged) drawDragged(canvas, drawing, drawing.dragged, scale);
  return drawn;
}

/** Lines to dotted-line managers. */
function drawDotted(canvas: CanvasRenderingContext2D, { tree, layout, colours }: Drawing, scale: number): void {
  canvas.save();
  canvas.setLineDash([6, 5]);
  canvas.strokeStyle = colours.faint;
  canvas.lineWidth = 1 / Math.min(1, scale);
  canvas.beginPath();
  for (let at = 0; at < layout.ids.length; at++)
    for (const other of tree.people.get(layout.ids[at]!)!.dotted) {
      const to = layout.placeOf.get(other);
      if (to === undefined) continue;
      const [x1, y1] = [layout.x[at]! + CARD.width / 2, layout.y[at]! + CARD.height / 2];
      const [x2, y2] = [layout.x[to]! + CARD.width / 2, layout.y[to]! + CARD.height / 2];
      canvas.moveTo(x1, y1);
      canvas.quadraticCurveTo((x1 + x2) / 2, Math.min(y1, y2) - 40, x2, y2);
    }
  canvas.stroke();
  canvas.restore();
}

function drawCard(
  canvas: CanvasRenderingContext2D,
  { tree, layout, open, selected, lit, moved, fields }: Drawing,
  at: number,
  scale: number,
  person: ChartPerson,
  layer: Layer,
  colours: ChartColours,
): void {
  const [x, y] = [layout.x[at]!, layout.y[at]!];
  const shade = layer.shade(person, tree);
  const isMarked = person.id === selected;
  if (scale < READABLE) {
    canvas.fillStyle =
      shade === null
        ? moved.has(person.id)
          ? colours.moved
          : lit.has(person.id) || isMarked
            ? colours.brand
            : colours.border
        : shadeColour(shade, colours.dark);
    canvas.fillRect(x, y, CARD.width, CARD.height);
    return;
  }
  canvas.fillStyle = colours.card;
  canvas.strokeStyle = isMarked || lit.has(person.id) ? colours.brand : colours.border;
  canvas.lineWidth = isMarked ? 3 : lit.has(person.id) ? 2 : 1;
  if (person.wanted > 0) canvas.setLineDash([6, 4]);
  canvas.beginPath();
  canvas.roundRect(x, y, CARD.width, CARD.height, 6);
  canvas.fill();
  canvas.stroke();
  if (person.wanted > 0) canvas.setLineDash([]);
  if (shade !== null) {
    canvas.fillStyle = shadeColour(shade, colours.dark);
    canvas.fillRect(x, y + 6, 5, CARD.height - 12);
  }
  if (moved.has(person.id)) {
    canvas.fillStyle = colours.moved;
    canvas.fillRect(x + 6, y, CARD.width - 12, 4);
  }
  const [first, second, third] = cardTexts(person, fields, tree);
  canvas.fillStyle = colours.text;
  canvas.font = '600 14px "Noto Sans", sans-serif';
  // The circle with the number of reports stands at the right.
  canvas.fillText(first, x + 14, y + 22, CARD.width - 42);
  canvas.font = '12px "Noto Sans", sans-serif';
  canvas.fillText(second, x + 14, y + 41);
  canvas.fillStyle = colours.faint;
  canvas.fillText(third, x + 14, y + 59);
  const said = layer.text(person, tree);
  if (said !== '') {
    canvas.textAlign = 'right';
    canvas.fillStyle = colours.text;
    canvas.font = '600 12px "Noto Sans", sans-serif';
    canvas.fillText(said, x + CARD.width - 12, y + 59);
    canvas.textAlign = 'left';
  }
  const below = tree.below(person.id).length;
  if (below > 0) {
    canvas.fillStyle = open.has(person.id) ? colours.card : colours.brand;
    canvas.strokeStyle = colours.brand;
    canvas.lineWidth = 1;
    canvas.beginPath();
    canvas.arc(x + CARD.width - 14, y + 16, 9, 0, Math.PI * 2);
    canvas.fill();
    canvas.stroke();
    canvas.fillStyle = open.has(person.id) ? colours.brand : colours.card;
    canvas.textAlign = 'center';
    canvas.font = '600 10px "Noto Sans", sans-serif';
    canvas.fillText(open.has(person.id) ? '–' : below > 99 ? '99+' : String(below), x + CARD.width - 14, y + 19.5);
    canvas.textAlign = 'left';
  }
}

function drawDragged(
  canvas: CanvasRenderingContext2D,
  { tree, layout, colours, fields }: Drawing,
  { id, x, y, over, barred }: NonNullable<Drawing['dragged']>,
  scale: number,
): void {
  const target = over === null ? undefined : layout.placeOf.get(over);
  if (target !== undefined) {
    canvas.strokeStyle = barred.has(over!) ? colours.danger : colours.brand;
    canvas.lineWidth = 4 / Math.min(1, scale);
    canvas.beginPath();
    canvas.roundRect(layout.x[target]! - 4, layout.y[target]! - 4, CARD.width + 8, CARD.height + 8, 8);
    canvas.stroke();
  }
  // It covers the card under it, whose name would run into its own.
  const [name, designation] = cardTexts(tree.people.get(id)!, fields, tree);
  canvas.globalAlpha = 0.94;
  canvas.fillStyle = colours.card;
  canvas.strokeStyle = colours.brand;
  canvas.lineWidth = 2;
  canvas.beginPath();
  canvas.roundRect(x, y, CARD.width, CARD.height, 6);
  canvas.fill();
  canvas.globalAlpha = 1;
  canvas.stroke();
  canvas.fillStyle = colours.text;
  canvas.font = '600 14px "Noto Sans", sans-serif';
  canvas.fillText(name, x + 14, y + 22, CARD.width - 28);
  canvas.font = '12px "Noto Sans", sans-serif';
  canvas.fillText(designation, x + 14, y + 40, CARD.width - 28);
}

/** The card at a point of the chart; `onButton`: the point is on its expand button. */
export function cardAt(layout: ChartLayout, x: number, y: number): { id: number; onButton: boolean } | null {
  for (let at = layout.ids.length - 1; at >= 0; at--) {
    const [dx, dy] = [x - layout.x[at]!, y - layout.y[at]!];
    if (dx >= 0 && dx <= CARD.width && dy >= 0 && dy <= CARD.height)
      return { id: layout.ids[at]!, onButton: dx > CARD.width - 32 && dy < 34 };
  }
  return null;
}

/** The current colours of the page. */
export function coloursOf(element: HTMLElement): ChartColours {
  const style = getComputedStyle(element);
  const one = (name: string, other: string) => style.getPropertyValue(`--${name}`).trim() || other;
  const page = one('colorNeutralBackground2', '#fafafa');
  const [red = 250, green = 250, blue = 250] = (/^#(..)(..)(..)/.exec(page) ?? [])
    .slice(1)
    .map((hex) => parseInt(hex, 16));
  return {
    page,
    card: one('colorNeutralBackground1', '#ffffff'),
    border: one('colorNeutralStroke1', '#d1d1d1'),
    text: one('colorNeutralForeground1', '#242424'),
    faint: one('colorNeutralForeground3', '#616161'),
    line: one('colorNeutralStrokeAccessible', '#616161'),
    brand: one('colorBrandBackground', '#0f6cbd'),
    danger: one('colorPaletteRedBorderActive', '#d13438'),
    moved: one('colorPaletteMarigoldBorderActive', '#eaa300'),
    dark: red + green + blue < 380,
  };
}
