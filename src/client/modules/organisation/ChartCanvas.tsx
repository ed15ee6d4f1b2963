import type { RefObject } from 'react';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { CARD } from '../../../domain/organisation/chart_layout.ts';
import type { Drawing, View } from './chart_drawing.ts';
import { cardAt, coloursOf, drawChart } from './chart_drawing.ts';
import { MiniMap } from './mini_map.ts';
import styles from './org_chart.module.css';

/** The chart's commands for the page. */
export interface ChartHandle {
  /** Centres a card at a readable scale. */
  show(id: number): void;
  /** Fits everything that is open. */
  fit(): void;
  zoom(by: number): void;
}

interface CanvasProps {
  handle: RefObject<ChartHandle | null>;
  drawing: Omit<Drawing, 'colours' | 'dragged'>;
  /** The card at the centre of the first view; null = fit all. */
  start: number | null;
  label: string;
  /** Phones have no room for the small map. */
  hasMap: boolean;
  mayMove: boolean;
  onSelect: (id: number | null) => void;
  onToggle: (id: number) => void;
  onDrop: (id: number, manager: number) => void;
}

const [LEAST, MOST] = [0.003, 2];
/** Pixels of movement before a drag starts. */
const STILL = 6;
/** Distance from the edge, in pixels, at which dragging a card scrolls the chart. */
const EDGE = 48;

type Grip =
  | { kind: 'pan'; x: number; y: number; from: View; moved: boolean; card: ReturnType<typeof cardAt> }
  | { kind: 'card'; id: number; dx: number; dy: number; x: number; y: number; moved: boolean };

/** The chart: pan by dragging the background, zoom by wheel or pinch, drag a card onto another. */
export function ChartCanvas({
  handle,
  drawing,
  start,
  label,
  hasMap,
  mayMove,
  onSelect,
  onToggle,
  onDrop,
}: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const mapCanvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<MiniMap>(new MiniMap());
  const view = useRef<View>({ x: 0, y: 0, scale: 1 });
  const dragged = useRef<Drawing['dragged']>(null);
  const grip = useRef<Grip | null>(null);
  const pointer = useRef({ px: 0, py: 0 });
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const latest = useRef({ drawing, mayMove, onSelect, onToggle, onDrop });
  const frame = useRef(0);
  const placed = useRef(false);
  const [cursor, setCursor] = useState<'grab' | 'grabbing' | 'pointer'>('grab');

  const size = (): [number, number] => [canvas.current?.clientWidth ?? 0, canvas.current?.clientHeight ?? 0];
  const paint = () => {
    frame.current = 0;
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    const pixels = window.devicePixelRatio || 1;
    const [width, height] = size();
    if (element.width !== Math.round(width * pixels) || element.height !== Math.round(height * pixels)) {
      element.width = Math.round(width * pixels);
      element.height = Math.round(height * pixels);
    }
    const began = performance.now();
    // A card held at the edge scrolls the chart on, also while the pointer stands still.
    if (dragged.current && scrollAtEdge()) ask();
    const colours = coloursOf(element);
    const cards = drawChart(context, view.current, [width, height], pixels, {
      ...latest.current.drawing,
      colours,
      dragged: dragged.current,
    });
    if (mapCanvas.current)
      map.current.draw(mapCanvas.current, latest.current.drawing, colours, view.current, [width, height]);
    element.dataset.cards = String(cards);
    element.dataset.paintMs = (performance.now() - began).toFixed(1);
  };
  const scrollAtEdge = (): boolean => {
    const [width, height] = size();
    const push = (at: number, end: number) => (at < EDGE ? at - EDGE : at > end - EDGE ? at - end + EDGE : 0);
    const { px, py } = pointer.current;
    const [x, y] = [push(px, width), push(py, height)];
    if (x === 0 && y === 0) return false;
    const { scale } = view.current;
    view.current = { ...view.current, x: view.current.x + x / 4 / scale, y: view.current.y + y / 4 / scale };
    placeDragged();
    return true;
  };
  /** Keeps the dragged card under the pointer. */
  const placeDragged = () => {
    const held = grip.current;
    if (held?.kind !== 'card' || !dragged.current) return;
    const { px, py } = pointer.current;
    const [x, y] = [view.current.x + px / view.current.scale, view.current.y + py / view.current.scale];
    const over = cardAt(latest.current.drawing.layout, x, y)?.id ?? null;
    dragged.current = { ...dragged.current, x: x - held.dx, y: y - held.dy, over: over === held.id ? null : over };
  };
  const ask = () => {
    if (frame.current === 0) frame.current = requestAnimationFrame(paint);
  };
  const look = (next: View) => {
    view.current = next;
    ask();
  };
  const fit = () => {
    const [width, height] = size();
    const { layout } = latest.current.drawing;
    const scale = Math.min(1, Math.max(LEAST, Math.min((width - 40) / layout.width, (height - 40) / layout.height)));
    look({ scale, x: layout.width / 2 - width / scale / 2, y: layout.height / 2 - height / scale / 2 });
  };
  const show = (id: number, down = 0.5) => {
    const { layout } = latest.current.drawing;
    const at = layout.placeOf.get(id);
    if (at === undefined) return;
    const [width, height] = size();
    const scale = Math.max(0.7, Math.min(1, view.current.scale));
    look({
      scale,
      x: layout.x[at]! + CARD.width / 2 - width / scale / 2,
      y: layout.y[at]! + CARD.height / 2 - (height / scale) * down,
    });
  };
  const zoomAt = (by: number, px: number, py: number) => {
    const { x, y, scale } = view.current;
    const next = Math.min(MOST, Math.max(LEAST, scale * by));
    look({ scale: next, x: x + px / scale - px / next, y: y + py / scale - py / next });
  };
  const zoom = (by: number) => {
    const [width, height] = size();
    zoomAt(by, width / 2, height / 2);
  };
  useImperativeHandle(handle, () => ({ show, fit, zoom }));

  useLayoutEffect(() => {
    latest.current = { drawing, mayMove, onSelect, onToggle, onDrop };
    if (!placed.current && size()[0] > 0) {
      placed.current = true;
      const { layout } = drawing;
      const [width, height] = size();
      // If everything is readable at once, fit it all.
      const isSmall = Math.min(width / layout.width, height / layout.height) > 0.55;
      if (isSmall || start === null || !layout.placeOf.has(start)) fit();
      else show(start, 0.3);
    }
    ask();
  });
  useEffect(() => {
    const element = canvas.current!;
    const observer = new ResizeObserver(() => ask());
    observer.observe(element);
    // React's wheel listeners are passive; this one must prevent the page from scrolling.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      if (event.ctrlKey || !event.shiftKey) zoomAt(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
      else look({ ...view.current, x: view.current.x + event.deltaY / view.current.scale });
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', wheel);
      cancelAnimationFrame(frame.current);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the called functions read refs only
  }, []);

  const point = (event: React.PointerEvent): { px: number; py: number; x: number; y: number } => {
    const box = canvas.current!.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    return { px, py, x: view.current.x + px / view.current.scale, y: view.current.y + py / view.current.scale };
  };
  const down = (event: React.PointerEvent) => {
    const { px, py, x, y } = point(event);
    canvas.current!.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, { x: px, y: py });
    if (fingers.current.size > 1) {
      grip.current = null;
      dragged.current = null;
      return;
    }
    const { layout, tree } = latest.current.drawing;
    const card = cardAt(layout, x, y);
    const at = card && layout.placeOf.get(card.id);
    grip.current =
      card &&
      !card.onButton &&
      latest.current.mayMove &&
      event.pointerType === 'mouse' &&
      tree.people.get(card.id)!.wanted === 0
        ? { kind: 'card', id: card.id, dx: x - layout.x[at!]!, dy: y - layout.y[at!]!, x: px, y: py, moved: false }
        : { kind: 'pan', x: px, y: py, from: view.current, moved: false, card };
  };
  const move = (event: React.PointerEvent) => {
    const { px, py, x, y } = point(event);
    pointer.current = { px, py };
    const finger = fingers.current.get(event.pointerId);
    if (finger && fingers.current.size === 2) {
      const other = [...fingers.current].find(([id]) => id !== event.pointerId)![1];
      const before = Math.hypot(finger.x - other.x, finger.y - other.y);
      const after = Math.hypot(px - other.x, py - other.y);
      fingers.current.set(event.pointerId, { x: px, y: py });
      if (before > 0) zoomAt(after / before, (px + other.x) / 2, (py + other.y) / 2);
      return;
    }
    const held = grip.current;
    if (!held) {
      setCursor(cardAt(latest.current.drawing.layout, x, y) ? 'pointer' : 'grab');
      return;
    }
    held.moved ||= Math.hypot(px - held.x, py - held.y) > STILL;
    if (!held.moved) return;
    if (held.kind === 'pan') {
      const { from } = held;
      look({ ...from, x: from.x - (px - held.x) / from.scale, y: from.y - (py - held.y) / from.scale });
      return;
    }
    dragged.current ??= {
      id: held.id,
      x,
      y,
      over: null,
      barred: latest.current.drawing.tree.barred(held.id),
    };
    placeDragged();
    ask();
  };
  const up = (event: React.PointerEvent) => {
    fingers.current.delete(event.pointerId);
    const held = grip.current;
    grip.current = null;
    const drop = dragged.current;
    dragged.current = null;
    setCursor('grab');
    ask();
    if (!held) return;
    if (held.kind === 'pan' && !held.moved) {
      if (held.card?.onButton && latest.current.drawing.tree.below(held.card.id).length > 0)
        latest.current.onToggle(held.card.id);
      else latest.current.onSelect(held.card?.id ?? null);
    } else if (held.kind === 'card') {
      if (!held.moved) latest.current.onSelect(held.id);
      else if (drop?.over !== null && drop !== null) latest.current.onDrop(held.id, drop.over);
    }
  };
  const key = (event: React.KeyboardEvent) => {
    const step = 80 / view.current.scale;
    const by: Record<string, [number, number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    };
    const shift = by[event.key];
    if (shift) look({ ...view.current, x: view.current.x + shift[0], y: view.current.y + shift[1] });
    else if (event.key === '+' || event.key === '=') zoom(1.25);
    else if (event.key === '-') zoom(0.8);
    else if (event.key === '0') fit();
    else return;
    event.preventDefault();
  };
  const lookThrough = (event: React.PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = map.current.pointAt(event.clientX - box.left, event.clientY - box.top);
    const [width, height] = size();
    const { scale } = view.current;
    look({ scale, x: at.x - width / scale / 2, y: at.y - height / scale / 2 });
  };

  return (
    <>
      <canvas
        ref={canvas}
        className={styles.canvas}
        style={{ cursor }}
        tabIndex={0}
        role="img"
        aria-label={label}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
        onKeyDown={key}
      />
      {hasMap && (
        // What it does by pointer, the arrow keys of the chart and the tree do by keyboard.
        <canvas
          ref={mapCanvas}
          className={styles.map}
          aria-hidden
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            lookThrough(event);
          }}
          onPointerMove={(event) => event.buttons > 0 && lookThrough(event)}
        />
      )}
    </>
  );
}
