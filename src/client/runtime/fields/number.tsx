import { unitOf } from '../../../descriptor/money.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { useInCurrency } from './in_currency.ts';
import { numberKeys } from './key_filter.ts';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/**
 * Integer, decimal, money, percent and quantity: grouped as the company writes numbers, plain while editing.
 * "₹1,23,456.50" may be pasted. The value is exact text, never a float.
 */
export function NumberWidget(props: WidgetProps) {
  const field = useInCurrency(props.field);
  const type = fieldType(field.type);
  const whole = field.type === 'integer';
  const negative = !(Number(field.schema.minimum) >= 0);
  return (
    <TextControl
      props={props}
      inputMode={whole ? 'numeric' : 'decimal'}
      align="right"
      format={(value) => type.format(value, field).replace(/\s*%$/, '')}
      edit={(value) => (value === null || value === undefined ? '' : String(value))}
      as={(text) => numberKeys(text, negative)}
      {...(field.type === 'money' && unitOf(field) !== undefined && { before: unitOf(field)! })}
      {...(field.type === 'percent' ? { after: '%' } : field.unit && field.type !== 'money' && { after: field.unit })}
    />
  );
}
