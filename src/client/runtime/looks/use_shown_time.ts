import { useSearchParams } from 'react-router-dom';
import { today } from '../../../descriptor/place.ts';

/** The period shown by a look, from its address: a day in it, and the unit. */
export function useShownTime<Kind extends string>(
  kinds: readonly Kind[],
  usual: Kind,
): { now: string; day: string; by: Kind; show: (part: { on?: string; by?: Kind }) => void } {
  const [query, setQuery] = useSearchParams();
  const now = today();
  const given = query.get('on') ?? '';
  return {
    now,
    day: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(given) ? given : now,
    by: kinds.find((one) => one === query.get('by')) ?? usual,
    show: (part) =>
      setQuery(
        (old) => {
          const next = new URLSearchParams(old);
          for (const [name, value] of Object.entries(part)) next.set(name, value);
          return next;
        },
        { replace: true },
      ),
  };
}
