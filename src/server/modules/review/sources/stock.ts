import {
  AGES,
  ageOf,
  carryingCost,
  meltDays,
  mixGaps,
  outlasts,
  perStock,
  sellThrough,
  transfers,
} from '../../../../domain/review/stock_classes.ts';
import type { ReportCall, ReportRows, ReportSource } from '../../../engine/reports/report_source.ts';
import type { Piece, StoreLine } from '../read_stock.ts';
import { STOCK_READS, orderedByClass, placeKey, readClasses, readPieces, readStoreLines } from '../read_stock.ts';

const LISTED = 50;
/** Tags that a transfer names. */
const NAMED = 6;
const total = (lines: readonly StoreLine[], of: (line: StoreLine) => number): number =>
  lines.reduce((sum, line) => sum + of(line), 0);
const rounded = (value: number | null, decimals = 0): number | null =>
  value === null ? null : Number(value.toFixed(decimals));
const figure = (value: number | null, note?: string): ReportRows => ({
  rows: value === null ? [] : [{ value }],
  ...(note !== undefined && { note }),
});

/** The shortage of each line by store, and other stores that can supply it. */
export function plan(lines: readonly StoreLine[]) {
  return [...Map.groupBy(lines, ({ line }) => line).values()].flatMap((own) => {
    const { moves } = transfers(own.map((one) => ({ ...one, stock: one.pieces })));
    return moves.map(({ from, to, pieces }) => ({ from: own[from]!, to: own[to]!, pieces }));
  });
}

/** Rows and columns of stock, in pieces, grams or rupees. */
function grid(lines: readonly StoreLine[], { args }: ReportCall): ReportRows {
  const isWeight = args?.by === 'weight';
  const key = (line: StoreLine) => (isWeight ? [line.purity, line.weight] : [line.category, line.price]);
  const cells = Map.groupBy(lines, (line) => key(line).join('\n'));
  return {
    rows: [...cells.values()].map((own) => {
      const [row, column] = key(own[0]!);
      return {
        row: row!,
        column: column!,
        pieces: total(own, ({ pieces }) => pieces),
        grams: rounded(
          total(own, ({ grams }) => grams),
          1,
        ),
        value: rounded(total(own, ({ cost }) => cost)),
      };
    }),
  };
}

type Pieces = ReadonlyMap<string, readonly Piece[]>;

/** The ids behind a row, from which it opens the pieces of its line. */
const placeOf = ({ store, line }: StoreLine) => ({ store_id: store, line_id: line });

/** What melting is judged by: each piece in the store, or the whole line where its pieces are not recorded. */
function toJudge(line: StoreLine, pieces: Pieces) {
  const own = pieces.get(placeKey(line));
  const rate = line.metal === null || line.grams <= 0 ? null : line.metal / line.grams;
  if (rate === null || line.pieces <= 0) return [];
  return own
    ? own
        .filter(({ isHere }) => isHere)
        .map(({ tag, grams, making }) => ({ tag, grams, metal: rate * grams, making: making ?? line.makingPercent }))
    : [{ tag: null, grams: line.grams, metal: line.metal!, making: line.makingPercent }];
}

/** Pieces worth melting: melting costs less than holding them until their line is sold. */
export const worthMelting = (lines: readonly StoreLine[], pieces: Pieces) =>
  lines.flatMap((line) =>
    toJudge(line, pieces).flatMap((one) => {
      const days = meltDays({
        metalValue: one.metal,
        making: (one.metal * one.making) / 100,
        carryingPercent: line.policy.carrying_percent,
        lossPercent: line.policy.melt_loss_percent,
      });
      return days !== null && outlasts(line.cover, days) ? [{ line, one, days }] : [];
    }),
  );

function melt(lines: readonly StoreLine[], pieces: Pieces): ReportRows {
  return {
    rows: worthMelting(lines, pieces)
      .toSorted((a, b) => b.one.metal - a.one.metal)
      .slice(0, LISTED)
      .map(({ line, one, days }) => ({
        ...placeOf(line),
        tag: one.tag,
        line: line.name,
        store: line.storeName,
        grams: rounded(one.grams, 1),
        metal: rounded(one.metal),
        days: rounded(days),
        cover: rounded(line.cover),
      })),
  };
}

/** The value of the stock by age: of each piece, or of a line from its oldest piece where they are not recorded. */
function ages(lines: readonly StoreLine[], pieces: Pieces): ReportRows {
  const aged = lines.flatMap((line): { age: number; cost: number }[] => {
    const own = pieces.get(placeKey(line));
    return own ? [...own] : line.age === null ? [] : [{ age: line.age, cost: line.cost }];
  });
  const cells = Map.groupBy(aged, ({ age }) => ageOf(age));
  return {
    rows: AGES.map((age) => ({ age, value: rounded((cells.get(age) ?? []).reduce((sum, { cost }) => sum + cost, 0)) })),
  };
}

/** The oldest single pieces, with those that are with a customer. */
function oldestPieces(lines: readonly StoreLine[], pieces: Pieces): ReportRows {
  return {
    rows: lines
      .flatMap((line) => (pieces.get(placeKey(line)) ?? []).map((piece) => ({ line, piece })))
      .toSorted((a, b) => b.piece.age - a.piece.age || b.piece.cost - a.piece.cost)
      .slice(0, LISTED)
      .map(({ line, piece }) => ({
        ...placeOf(line),
        tag: piece.tag,
        huid: piece.huid,
        line: line.name,
        store: line.storeName,
        place: piece.isHere ? 'In the store' : 'On approval',
        days: piece.age,
        value: rounded(piece.cost),
      })),
  };
}

/** Transfers between stores, with the tags of the oldest pieces in the store that sends them. */
function moves(lines: readonly StoreLine[], pieces: Pieces): ReportRows {
  return {
    rows: plan(lines)
      .slice(0, LISTED)
      .map(({ from, to, pieces: count }) => {
        const here = (pieces.get(placeKey(from)) ?? []).filter(({ isHere }) => isHere).slice(0, count);
        const named = here.slice(0, NAMED).map(({ tag }) => tag);
        const more = here.length - named.length;
        return {
          ...placeOf(from),
          line: to.name,
          from: from.storeName,
          to: to.storeName,
          tags: named.length === 0 ? null : named.join(', ') + (more > 0 ? ` and ${more} more` : ''),
          pieces: count,
        };
      }),
  };
}

async function classes(call: ReportCall, lines: readonly StoreLine[]): Promise<ReportRows> {
  const found = await readClasses(call, lines);
  const cells = Map.groupBy(found, ({ abc, xyz }) => `${abc}\n${xyz}`);
  const order = 'ABCNXYZn';
  return {
    rows: [...cells]
      .map(([, own]) => ({ row: own[0]!.abc as string, column: own[0]!.xyz as string, lines: own.length }))
      .toSorted(
        (a, b) =>
          order.indexOf(a.row) - order.indexOf(b.row) || order.indexOf(a.column[0]!) - order.indexOf(b.column[0]!),
      ),
  };
}

/** The pieces that each line gets from other stores. */
export function comingFrom(moved: ReturnType<typeof plan>): Map<StoreLine, number> {
  const coming = new Map<StoreLine, number>();
  for (const { to, pieces } of moved) coming.set(to, (coming.get(to) ?? 0) + pieces);
  return coming;
}

function reorderList(lines: readonly StoreLine[]): ReportRows {
  const coming = comingFrom(plan(lines));
  const rows = lines.flatMap((line) => {
    const order = Math.max(0, line.order - (coming.get(line) ?? 0));
    return order === 0 ? [] : [{ line, order }];
  });
  return {
    rows: rows
      .toSorted((a, b) => (a.line.cover ?? 0) - (b.line.cover ?? 0))
      .slice(0, LISTED)
      .map(({ line, order }) => ({
        ...placeOf(line),
        line: line.name,
        store: line.storeName,
        pieces: line.pieces,
        on_order: line.onOrder,
        cover: rounded(line.cover),
        reorder: line.reorder,
        up_to: line.upTo,
        order,
      })),
  };
}

/** Stock below zero: it is kept as it was imported, and shown until somebody counts it (performance.md §10). */
const belowZero = (lines: readonly StoreLine[]): ReportRows => ({
  rows: lines
    .filter(({ pieces, grams }) => pieces < 0 || grams < 0)
    .toSorted((a, b) => a.pieces - b.pieces)
    .slice(0, LISTED)
    .map((line) => ({
      ...placeOf(line),
      line: line.name,
      store: line.storeName,
      pieces: line.pieces,
      grams: rounded(line.grams, 3),
      value: rounded(line.cost),
    })),
});

const mix = (lines: readonly StoreLine[]): ReportRows => {
  const kinds = [...Map.groupBy(lines, ({ category }) => category)];
  const stock = kinds.map(([, own]) => total(own, ({ cost }) => cost));
  const sales = kinds.map(([, own]) => total(own, ({ amount }) => amount));
  const gaps = mixGaps(sales, stock);
  return {
    rows: kinds.map(([category], at) => ({
      category,
      stock: rounded(stock[at]!),
      needed: rounded(stock[at]! + gaps[at]!),
      gap: rounded(gaps[at]!),
    })),
  };
};

/** The figures of a tile. */
async function answer(call: ReportCall): Promise<ReportRows> {
  const lines = await readStoreLines(call);
  if (lines.length === 0) return { rows: [] };
  const value = total(lines, ({ cost }) => cost);
  const dead = lines.filter(({ isDead }) => isDead);
  switch (call.args?.as) {
    case 'value':
      return figure(rounded(value));
    case 'pieces':
      return figure(total(lines, ({ pieces }) => pieces));
    case 'grams':
      return figure(
        rounded(
          total(lines, ({ grams }) => grams),
          1,
        ),
      );
    case 'cover': {
      const sold = total(lines, ({ aDay }) => aDay);
      return figure(sold === 0 ? null : rounded(total(lines, ({ pieces }) => pieces) / sold), 'At the recent pace');
    }
    case 'sold':
      return figure(
        rounded(
          sellThrough(
            total(lines, ({ sold }) => sold),
            total(lines, ({ pieces }) => Math.max(0, pieces)),
          ),
          2,
        ),
        `Of the pieces that were there in ${lines[0]!.window} days`,
      );
    case 'turn':
      return figure(
        rounded(
          perStock(
            total(lines, ({ costOfSales }) => costOfSales),
            value,
          ),
          2,
        ),
        'Sales of 12 months at cost, divided by today’s stock',
      );
    case 'gmroi':
      return figure(
        rounded(
          perStock(
            total(lines, ({ amount, costOfSales }) => amount - costOfSales),
            value,
          ),
          2,
        ),
        'Margin of 12 months, divided by today’s stock',
      );
    case 'dead': {
      const amount = total(dead, ({ cost }) => cost);
      const month = total(dead, ({ cost, policy }) => carryingCost(cost, policy.carrying_percent, 365 / 12));
      return figure(
        rounded(amount),
        `Costs ${new Intl.NumberFormat('en-IN').format(Math.round(month))} a month to keep`,
      );
    }
    case 'ages':
      return ages(lines, await readPieces(call, lines));
    case 'pieces_old':
      return oldestPieces(lines, await readPieces(call, lines));
    case 'on_approval': {
      const away = [...(await readPieces(call, lines)).values()].flat().filter(({ isHere }) => !isHere);
      return figure(
        away.length,
        `Worth ${new Intl.NumberFormat('en-IN').format(Math.round(away.reduce((sum, { cost }) => sum + cost, 0)))} at cost`,
      );
    }
    case 'negative':
      return belowZero(lines);
    case 'old':
      return {
        rows: [...dead, ...lines.filter(({ isSlow }) => isSlow)]
          .toSorted((a, b) => Number(b.isDead) - Number(a.isDead) || b.cost - a.cost)
          .slice(0, LISTED)
          .map((line) => ({
            ...placeOf(line),
            line: line.name,
            store: line.storeName,
            state: line.isDead ? 'Dead' : 'Slow',
            days: line.unsold ?? line.age,
            pieces: line.pieces,
            value: rounded(line.cost),
          })),
      };
    case 'classes':
      return classes(call, lines);
    case 'grid':
      return grid(lines, call);
    case 'reorder':
      return reorderList(
        lines.some(({ policy }) => policy.classes.length > 0)
          ? orderedByClass(lines, await readClasses(call, lines))
          : lines,
      );
    case 'transfers':
      return moves(lines, await readPieces(call, lines));
    case 'mix':
      return mix(lines);
    default:
      return melt(lines, await readPieces(call, lines));
  }
}

/** Stock by value and variability, age, place and kind; what to order, move and melt (performance.md §5.18). */
const stock: ReportSource = { reads: STOCK_READS, rows: answer };

export default stock;
