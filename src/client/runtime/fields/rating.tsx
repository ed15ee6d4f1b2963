import { StarFilled, StarRegular } from '@fluentui/react-icons';
import styles from './fields.module.css';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

/** Stars. Arrow keys move, pressing the chosen star clears the rating. */
export function RatingWidget(props: WidgetProps) {
  const { id, field, value, onChange, onBlur, required } = props;
  const stars = typeof field.schema.maximum === 'number' ? field.schema.maximum : 5;
  const chosen = typeof value === 'number' ? value : 0;
  const fixed = props.readOnly === true || props.disabled === true;
  return (
    <div id={id} role="radiogroup" className={styles.stars} {...described(props)} {...(onBlur && { onBlur })}>
      {Array.from({ length: stars }, (_, index) => index + 1).map((star) => (
        <label key={star} data-on={star <= chosen ? '' : undefined}>
          <input
            type="radio"
            name={id}
            value={star}
            checked={star === chosen}
            disabled={fixed}
            aria-label={star === 1 ? '1 star' : `${star} stars`}
            onChange={() => onChange(star)}
            onClick={() => star === chosen && !required && onChange(null)}
          />
          {star <= chosen ? <StarFilled aria-hidden /> : <StarRegular aria-hidden />}
        </label>
      ))}
    </div>
  );
}
