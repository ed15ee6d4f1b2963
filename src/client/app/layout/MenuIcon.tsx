import type { ComponentType } from 'react';
import { useEffect, useState } from 'react';
import styles from './layout.module.css';

type IconMap = Record<string, ComponentType<{ className?: string }>>;

let icons: IconMap | null = null;
let call: Promise<IconMap> | null = null;

/** A menu icon by its Fluent name. The icons are in one lazy file, loaded after the frame; their space is reserved. */
export function MenuIcon({ name, fallback = 'Document' }: { name: string | undefined; fallback?: string }) {
  const [map, setMap] = useState(icons);
  useEffect(() => {
    if (map) return;
    call ??= import('./menu_icons.ts').then((loaded) => {
      icons = loaded;
      return loaded;
    });
    let gone = false;
    call.then((loaded) => !gone && setMap(loaded)).catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [map]);
  const Icon = map?.[`${name ?? fallback}Regular`] ?? map?.[`${fallback}Regular`];
  return (
    <span className={styles.icon} aria-hidden>
      {Icon && <Icon />}
    </span>
  );
}
