import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

const symbols: Record<string, string> = { money: '₹', percent: '%' };

/**
 * Integer, decimal, money, percent and quantity: grouped the Indian way while at rest, plain while it is edited.
 * "₹1,23,456.50" may be pasted. The value is exact text, never a float.
 */
export function NumberWidget(props: WidgetProps) {
  const { field } = props;
  const type = fieldType(field.type);
  const whole = field.type === 'integer';
  return (
    <TextControl
      props={props}
      inputMode={whole ? 'numeric' : 'decimal'}
      align="right"
      format={(value) => type.format(value, field).replace(/\s*%$/, '')}
      edit={(value) => (value === null || value === undefined ? '' : String(value))}
      as={(text) => text.replace(/[^\d.,()+\-₹$%\sa-z]/gi, '')}
      {...(field.type === 'money' && { before: field.unit ?? symbols.money! })}
      {...(field.type === 'percent'
        ? { after: symbols.percent! }
        : field.unit && field.type !== 'money' && { after: field.unit })}
    />
  );
}
