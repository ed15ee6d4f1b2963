import { useNavigate } from 'react-router-dom';
import { momentIn, place } from '../../../../descriptor/place.ts';
import type { PageProps } from '../../page_props.ts';

/** The start time of an entry added on a day without a time. */
const MORNING = 9 * 60;
const two = (count: number) => String(count).padStart(2, '0');

/** Opens the form of a new record with its date filled in; null if none may be added. `minutes` of the day. */
export function useAddAt({
  screen,
  access: { routes, rights },
}: Pick<PageProps, 'screen' | 'access'>): ((day: string, minutes?: number) => void) | null {
  const navigate = useNavigate();
  const field = screen.fields.find(({ name }) => name === screen.looks!.calendar!.date);
  if (routes.add === null || !rights.add_screen || !rights.write || !field || field.readOnly || field.hidden)
    return null;
  return (day, minutes = MORNING) => {
    const clock = `${day}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
    const value = field.type === 'datetime' ? new Date(momentIn(place().timezone, clock)).toISOString() : day;
    void navigate(`${routes.add}?${new URLSearchParams({ [field.name]: value }).toString()}`);
  };
}
