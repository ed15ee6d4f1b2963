/** The card that an arrow key focuses: up and down within a column, left and right to the next non-empty column. */
export function nextCard(place: HTMLElement | null, at: HTMLElement, key: string): HTMLElement | undefined {
  const columns = [...(place?.querySelectorAll<HTMLElement>('[data-column]') ?? [])].map((one) => [
    ...one.querySelectorAll<HTMLElement>('[data-card]'),
  ]);
  const column = columns.findIndex((cards) => cards.includes(at));
  const row = columns[column]?.indexOf(at) ?? 0;
  if (key === 'ArrowDown' || key === 'ArrowUp') return columns[column]?.[row + (key === 'ArrowDown' ? 1 : -1)];
  const step = key === 'ArrowLeft' ? -1 : 1;
  for (let other = column + step; columns[other]; other += step)
    if (columns[other]!.length > 0) return columns[other]![Math.min(row, columns[other]!.length - 1)];
  return undefined;
}

export const ARROWS: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']);
