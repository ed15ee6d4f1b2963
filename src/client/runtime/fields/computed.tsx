import { unitOf } from '../../../descriptor/money.ts';
import { formatValue } from '../../../descriptor/format.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import styles from './fields.module.css';
import { formulaInWords } from './formula_words.ts';
import { useInCurrency } from './in_currency.ts';
import type { WidgetProps } from './widget.ts';
import { described, useFieldHost } from './widget.ts';

/** A computed value: read-only, its formula is shown on hover. */
export function ComputedWidget(props: WidgetProps) {
  const { field, id, value } = props;
  const host = useFieldHost();
  const own = useInCurrency(field);
  const text = own === field ? formatValue(field, value, host?.values()) : formatValue(own, value);
  const how = field.formula === undefined ? undefined : `${field.title} = ${formulaInWords(field.formula, host)}`;
  if (props.bare) {
    return (
      <div id={id} className={styles.bareText} data-align={fieldType(field.type).align} title={how}>
        {text}
      </div>
    );
  }
  return (
    <output
      id={id}
      className={styles.computed}
      data-align={fieldType(field.type).align}
      title={how}
      {...described(props)}
    >
      {text === '' ? '–' : text}
      {text !== '' && own === field && unitOf(field) && <span className={styles.muted}>{unitOf(field)}</span>}
    </output>
  );
}
