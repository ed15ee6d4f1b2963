import type { ReportRow } from '../../../domain/report.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { STOCK_READS, orderedByClass, placeKey, readClasses, readPieces, readStoreLines } from './read_stock.ts';
import { comingFrom, plan, worthMelting } from './sources/stock.ts';

const whole = (value: number | null): number | null => (value === null ? null : Math.round(value));

/** Each line of each store: class, cover, what to order, to move and to melt (performance.md §7). */
const inventoryLines: ReportSource = {
  reads: STOCK_READS,
  async rows(call) {
    const read = await readStoreLines(call);
    if (read.length === 0) return { rows: [] };
    const classes = await readClasses(call, read);
    const lines = read.some(({ policy }) => policy.classes.length > 0) ? orderedByClass(read, classes) : read;
    const classOf = new Map(classes.map(({ line, abc, xyz }) => [line, `${abc}${xyz}`]));
    const moved = plan(lines);
    const coming = comingFrom(moved);
    const melted = Map.groupBy(worthMelting(lines, await readPieces(call, lines)), ({ line }) => placeKey(line));
    const rows = lines.map((line): ReportRow => {
      const from = moved.filter(({ to }) => to === line).map((one) => `${one.from.storeName}: ${one.pieces}`);
      const melt = melted.get(placeKey(line)) ?? [];
      const tags = melt.flatMap(({ one }) => one.tag ?? []);
      return {
        line: line.name,
        store: line.storeName,
        class: classOf.get(line.line) ?? null,
        pieces: line.pieces,
        grams: line.grams.toFixed(1),
        value: line.cost.toFixed(2),
        cover: whole(line.cover),
        sold: line.sold,
        reorder: line.reorder,
        up_to: line.upTo,
        order: Math.max(0, line.order - (coming.get(line) ?? 0)),
        transfer: from.length === 0 ? null : from.join(', '),
        age: line.age,
        state: line.isDead ? 'dead' : line.isSlow ? 'slow' : null,
        melt: melt.length === 0 ? null : tags.length === 0 ? 'Whole line' : tags.join(', '),
        line_id: line.line,
        store_id: line.store,
      };
    });
    rows.sort((a, b) => Number(b.order) - Number(a.order) || String(a.line).localeCompare(String(b.line), 'en'));
    const values = [...new Set(classes.map(({ abc }) => String(abc)))].toSorted();
    const demands = [...new Set(classes.map(({ xyz }) => String(xyz)))].toSorted();
    const count = (abc: string, xyz: string) => classes.filter((one) => one.abc === abc && one.xyz === xyz).length;
    return {
      rows,
      chart: {
        x: values,
        series: demands.map((xyz) => ({ title: xyz, values: values.map((abc) => count(abc, xyz)) })),
      },
    };
  },
};

export default inventoryLines;
