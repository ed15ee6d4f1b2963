import { inCurrency } from '../../../descriptor/money.ts';
import type { Field } from '../../../descriptor/types.ts';
import { useHostValue } from './reference/use_host_value.ts';
import { useFieldHost } from './widget.ts';

/** The field with the currency selected in the form, if it has its own (`x-currency`). */
export function useInCurrency(field: Field): Field {
  const host = useFieldHost();
  const name = field.currencyFrom ?? '';
  const code = useHostValue(host, name);
  const label = useHostValue(host, `${name}__label`);
  if (field.currencyFrom === undefined) return field;
  return inCurrency(field, { [name]: code ?? null, [`${name}__label`]: label });
}
