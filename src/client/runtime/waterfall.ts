/** One bar of a waterfall: it stands on `low`, which is not drawn. */
interface WaterfallStep {
  low: number;
  size: number;
  isDown: boolean;
}

/** The bars of values that are added up one after another, and their total. */
function waterfallSteps(values: readonly (number | null)[]): { steps: WaterfallStep[]; total: number } {
  let total = 0;
  const steps = values.map((value) => {
    const from = total;
    total += value ?? 0;
    return { low: Math.min(from, total), size: Math.abs(value ?? 0), isDown: (value ?? 0) < 0 };
  });
  return { steps, total };
}

/** The two series of a waterfall: what the bars stand on, and the bars with their total. */
export function waterfallSeries(
  values: readonly (number | null)[],
  token: (name: string) => string,
): [Record<string, unknown>, Record<string, unknown>] {
  const { steps, total } = waterfallSteps(values);
  return [
    {
      type: 'bar',
      stack: 'step',
      silent: true,
      itemStyle: { color: 'transparent' },
      data: [...steps.map(({ low }) => low), 0],
    },
    {
      type: 'bar',
      stack: 'step',
      barMaxWidth: 40,
      data: [
        ...steps.map(({ size, isDown }) => ({
          value: size,
          itemStyle: { color: token(isDown ? '--colorPaletteMarigoldBorderActive' : '--colorBrandStroke1') },
        })),
        { value: total, itemStyle: { color: token('--colorPaletteSteelBorderActive') } },
      ],
    },
  ];
}
