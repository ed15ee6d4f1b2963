import type { Session } from '../../context.ts';
import { defineHooks } from '../../records/hooks.ts';

/** In pixels; null = no picture that can be measured. */
type Measure = (session: Session, file: number) => Promise<{ width: number; height: number } | null>;

let measure: Measure = () => Promise.resolve(null);

/** Says how large a stored picture is. */
export function onPicture(look: Measure): void {
  measure = look;
}

/** Images: their size is looked up in the picture itself. */
export default defineHooks({
  async fill(session, record, stored) {
    if (typeof record.file !== 'number') return { width: null, height: null };
    if (record.file === stored?.file && stored.width !== null) return {};
    const size = await measure(session, record.file);
    return { width: size?.width ?? null, height: size?.height ?? null };
  },
});
