import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';
import type { Tile } from '../../../domain/dashboard.ts';

/** What a component that draws a tile is given. */
export interface WidgetProps {
  tile: Tile;
  /** What its source answered. */
  data: unknown;
  /** Fetches the tile again. */
  again: () => void;
}

type Widget = ComponentType<WidgetProps>;

const files = import.meta.glob<{ default: Widget }>('../../modules/*/widgets/*.tsx');
const loaded = new Map<string, LazyExoticComponent<Widget>>();

/** The component of a tile, `<module>.<name>`, by its file `modules/<module>/widgets/<name>.tsx`. */
export function widgetOf(name: string): LazyExoticComponent<Widget> {
  const known = loaded.get(name);
  if (known) return known;
  const [module = '', file = ''] = name.split('.');
  const load = files[`../../modules/${module}/widgets/${file}.tsx`];
  if (!load) throw new Error(`There is no widget "${name}".`);
  const made = lazy(load);
  loaded.set(name, made);
  return made;
}
