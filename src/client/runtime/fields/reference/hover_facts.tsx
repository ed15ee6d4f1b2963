import type { ReactNode } from 'react';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import { Anchored } from '../anchored.tsx';
import styles from './reference.module.css';

const RecordCard = lazy(() => import('./RecordCard.tsx'));
const rest = 450;

/** Shows a record's main facts while the pointer rests on the content. `id` null = nothing to show. */
export function HoverFacts({
  type,
  id,
  inline = false,
  children,
}: {
  type: string;
  id: number | null;
  inline?: boolean;
  children: ReactNode;
}) {
  const anchor = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [shown, setShown] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const hide = () => {
    clearTimeout(timer.current);
    setShown(false);
  };
  return (
    <div
      ref={anchor}
      className={inline ? styles.hover : undefined}
      onPointerEnter={(event) => {
        if (id === null || event.pointerType !== 'mouse') return;
        timer.current = setTimeout(() => setShown(true), rest);
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onKeyDown={hide}
    >
      {children}
      {shown && id !== null && (
        <Anchored anchor={anchor} onClose={hide}>
          <Suspense fallback={null}>
            <RecordCard type={type} id={id} />
          </Suspense>
        </Anchored>
      )}
    </div>
  );
}
