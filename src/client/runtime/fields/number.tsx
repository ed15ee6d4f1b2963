import { inCurrency, unitOf } from '../../../descriptor/money.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field } from '../../../descriptor/types.ts';
import { numberKeys } from './key_filter.ts';
import { TextControl } from './text_control.tsx';
import { useHostValue } from './reference/use_host_value.ts';
import type { WidgetProps } from './widget.ts';
import { useFieldHost } from './widget.ts';

/**
 * Integer, decimal, money, percent and quantity: grouped as the company writes numbers while at rest, plain while it is edited.
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

/** The field with the currency that the form names now, where it has one of its own. */
function useInCurrency(field: Field): Field {
  const host = useFieldHost();
  const name = field.currencyFrom ?? '';
  const code = useHostValue(host, name);
  const label = useHostValue(host, `${name}__label`);
  if (field.currencyFrom === undefined) return field;
  return inCurrency(field, { [name]: code ?? null, [`${name}__label`]: label });
}
