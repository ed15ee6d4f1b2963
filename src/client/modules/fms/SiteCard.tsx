import { useKept } from './use_kept.ts';
import type { VisitProps } from './visit_props.ts';
import styles from './visit.module.css';

/** The place, the contact on site, and the facts of the call. */
export function SiteCard({ record }: Pick<VisitProps, 'record'>) {
  const building = useKept('building', record.building_id);
  const geo = building?.geo as { lat: number; lng: number } | null | undefined;
  const phone = typeof building?.key_phone === 'string' ? building.key_phone : null;
  const caller = typeof record.caller_phone === 'string' ? record.caller_phone : null;
  return (
    <section className={styles.card} aria-label="Where">
      <p>{String(building?.address ?? record.building_id__label ?? '')}</p>
      <p>{String(record.description ?? '')}</p>
      {building?.key_holder !== undefined && building.key_holder !== null && (
        <p className={styles.soft}>Key: {String(building.key_holder)}</p>
      )}
      {geo && (
        <a className={styles.big} href={`geo:${geo.lat},${geo.lng}?q=${geo.lat},${geo.lng}`}>
          Show on the map
        </a>
      )}
      <div className={styles.two}>
        {phone !== null && (
          <a className={styles.big} href={`tel:${phone}`}>
            Call the key holder
          </a>
        )}
        {caller !== null && (
          <a className={styles.big} href={`tel:${caller}`}>
            Call the caller
          </a>
        )}
      </div>
    </section>
  );
}
