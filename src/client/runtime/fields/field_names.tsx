import { isEntered } from '../../../descriptor/entered_fields.ts';
import { useScreen } from '../../api/screens.ts';
import { ChipChoice } from './ChipChoice.tsx';
import { useHostValue } from './reference/use_host_value.ts';
import type { WidgetProps } from './widget.ts';
import { useFieldHost } from './widget.ts';

/** Fields of the record type selected in another field, chosen by title. */
export function FieldNames(props: WidgetProps) {
  const { field } = props;
  const type = useHostValue(useFieldHost(), field.fieldsOf!);
  return typeof type === 'string' && type !== '' ? (
    <FieldsOf {...props} type={type} />
  ) : (
    <span id={props.id}>Choose what it is about first.</span>
  );
}

function FieldsOf(props: WidgetProps & { type: string }) {
  const { screen, error } = useScreen(props.type);
  const names = Array.isArray(props.value) ? props.value.map(String) : [];
  const fields = screen?.fields ?? [];
  return (
    <ChipChoice
      {...props}
      chosen={names.map((name) => ({ name, title: fields.find((one) => one.name === name)?.title ?? name }))}
      offered={fields.filter((one) => isEntered(screen!, one) && !names.includes(one.name))}
      placeholder={placeholderOf(screen !== null, error !== null, names.length)}
      waiting={!screen}
    />
  );
}

function placeholderOf(isThere: boolean, failed: boolean, chosen: number): string {
  if (failed) return 'Its fields could not be loaded';
  if (!isThere) return 'Loading fields…';
  return chosen === 0 ? 'Choose a field' : 'Choose another';
}
