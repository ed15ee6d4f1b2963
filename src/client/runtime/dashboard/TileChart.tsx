import { BarChart, FunnelChart, GaugeChart, LineChart, PieChart, TreemapChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import { useDark } from '../../app/preferences.ts';
import { offerPicture } from '../print/chart_pictures.ts';
import type { Part } from './tile_options.ts';
import { chartOf } from './tile_options.ts';
import styles from './dashboard.module.css';

echarts.use([
  BarChart,
  FunnelChart,
  GaugeChart,
  LineChart,
  PieChart,
  TreemapChart,
  GridComponent,
  TooltipComponent,
  LegendComponent,
  AriaComponent,
  CanvasRenderer,
]);

/** A tile's figures drawn; its table says the same in numbers. */
export default function TileChart({
  tile,
  answer,
  onPick,
}: {
  tile: Tile;
  answer: TileAnswer;
  onPick: ((part: NonNullable<Part>) => void) | null;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  });
  const dark = useDark();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const drawn = echarts.init(element);
    const css = getComputedStyle(element);
    const token = (name: string) => css.getPropertyValue(name).trim();
    let parts: Part[][] = [];
    const draw = () => {
      const chart = chartOf(tile, answer, { token, width: element.clientWidth });
      ({ parts } = chart);
      if (chart.height !== undefined && chart.height > element.clientHeight) {
        element.style.flexBasis = `${chart.height}px`;
        drawn.resize();
      }
      drawn.setOption(
        {
          animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
          animationDuration: 200,
          aria: { enabled: true, label: { description: `${tile.title}. Its table has the figures.` } },
          ...chart.option,
        },
        true,
      );
    };
    draw();
    drawn.on('click', ({ seriesIndex = 0, dataIndex, data }) => {
      const at = (data as { part?: number } | null)?.part ?? dataIndex;
      const part = typeof at === 'number' ? parts[seriesIndex]?.[at] : null;
      if (part) pick.current?.(part);
    });
    let width = element.clientWidth;
    const resize = new ResizeObserver(() => {
      drawn.resize();
      // What stands where depends on the room there is.
      if (element.clientWidth !== width) {
        width = element.clientWidth;
        draw();
      }
    });
    resize.observe(element);
    const withdraw = offerPicture(element, (on) => chartOf(tile, answer, on).option);
    return () => {
      resize.disconnect();
      withdraw();
      drawn.dispose();
    };
  }, [tile, answer, dark]);
  return (
    <div ref={frame} className={styles.chart} data-kind={tile.kind} role="img" aria-label={`Chart: ${tile.title}`} />
  );
}
