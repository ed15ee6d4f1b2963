import type { ChartPerson, ChartTree } from '../../../domain/organisation/chart_tree.ts';

/** A layer: the text and the colours of the cards. */
export type LayerName = 'none' | 'head_count' | 'span' | 'score' | 'band' | 'vacancy' | 'years';

export interface Layer {
  name: LayerName;
  title: string;
  /** The text of a card; empty = none. */
  text: (person: ChartPerson, tree: ChartTree) => string;
  /** From 0 (low, or bad) to 1 (high, or good); null = no colour. */
  shade: (person: ChartPerson, tree: ChartTree) => number | null;
}

const YEAR = 365.25 * 86_400_000;

function yearsOf({ joined, wanted }: ChartPerson): number | null {
  return joined === null || wanted > 0 ? null : Math.max(0, (Date.now() - Date.parse(joined)) / YEAR);
}

const atMost = (value: number) => Math.min(1, Math.max(0, value));

/** Bands by score, as they occur in the chart. */
function bandShade(band: string | null, tree: ChartTree): number | null {
  if (band === null) return null;
  const means = new Map<string, { sum: number; count: number }>();
  for (const one of tree.people.values()) {
    if (one.band === null || one.score === null) continue;
    const mean = means.get(one.band) ?? { sum: 0, count: 0 };
    means.set(one.band, { sum: mean.sum + one.score, count: mean.count + 1 });
  }
  const order = [...means].sort(([, a], [, b]) => a.sum / a.count - b.sum / b.count).map(([name]) => name);
  return order.length < 2 ? 0.5 : order.indexOf(band) / (order.length - 1);
}

export const LAYERS: readonly Layer[] = [
  { name: 'none', title: 'No layer', text: () => '', shade: () => null },
  {
    name: 'head_count',
    title: 'People below',
    text: ({ id, wanted }, tree) => (wanted > 0 ? '' : String(tree.headCount(id) - 1)),
    shade: ({ id, wanted }, tree) =>
      wanted > 0 ? null : atMost(Math.log2(tree.headCount(id)) / Math.log2(Math.max(2, tree.people.size))),
  },
  {
    name: 'span',
    title: 'Direct reports',
    text: ({ id, wanted }, tree) => (wanted > 0 ? '' : String(tree.span(id))),
    shade: ({ id, wanted }, tree) => (wanted > 0 || tree.span(id) === 0 ? null : atMost(1 - tree.span(id) / 16)),
  },
  {
    name: 'score',
    title: 'Score',
    text: ({ score }) => (score === null ? '' : score.toFixed(1)),
    shade: ({ score }) => (score === null ? null : atMost((score - 60) / 60)),
  },
  { name: 'band', title: 'Rating', text: ({ band }) => band ?? '', shade: ({ band }, tree) => bandShade(band, tree) },
  {
    name: 'vacancy',
    title: 'Vacancies',
    text: (person, tree) => {
      if (person.wanted > 0) return `${person.wanted} wanted`;
      const open = tree.below(person.id).reduce((sum, id) => sum + tree.people.get(id)!.wanted, 0);
      return open === 0 ? '' : `${open} wanted`;
    },
    shade: ({ wanted, id }, tree) =>
      wanted > 0 || tree.below(id).some((one) => tree.people.get(one)!.wanted > 0) ? 0 : null,
  },
  {
    name: 'years',
    title: 'Years with us',
    text: (person) => {
      const years = yearsOf(person);
      return years === null ? '' : years < 1 ? 'under 1 year' : `${Math.floor(years)} y`;
    },
    shade: (person) => {
      const years = yearsOf(person);
      return years === null ? null : atMost(years / 15);
    },
  },
];

/** The colour of a shade: from red through amber to green, with the brightness of the page's theme. */
export function shadeColour(shade: number, dark: boolean): string {
  return `hsl(${Math.round(shade * 130)} ${dark ? '55% 45%' : '65% 42%'})`;
}
