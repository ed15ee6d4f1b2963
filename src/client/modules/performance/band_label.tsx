import type { CSSProperties } from 'react';
import type { Scorecard } from '../../../domain/performance/scorecard.ts';
import { partsOf } from './score_gauge.tsx';
import own from './scorecard.module.css';

/** A band by its name, with its colour beside it. */
export function BandLabel({ band, card: { bands, most } }: { band: string; card: Pick<Scorecard, 'bands' | 'most'> }) {
  const colour = partsOf(bands, most).find(({ label }) => label === band)?.colour;
  return (
    <span className={own.band} style={{ '--band': colour } as CSSProperties}>
      {band}
    </span>
  );
}
