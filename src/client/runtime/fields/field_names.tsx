import { offeredNames } from '../../../descriptor/offered_names.ts';
import { useScreen } from '../../api/screens.ts';
import { ChipChoice } from './ChipChoice.tsx';
import { EnumWidget } from './enum.tsx';
import { useHostValue } from './reference/use_host_value.ts';
import type { WidgetProps } from './widget.ts';
import { useFieldHost } from './widget.ts';

/** Fields or steps of the record type selected in another field, chosen by title. */
export function FieldNames(props: WidgetProps) {
  const { field } = props;
  const type = useHostValue(useFieldHost(), field.fieldsOf!.of);
  return typeof type === 'string' && type !== '' ? (
    <FieldsOf {...props} type={type} />
  ) : (
    <span id={props.id}>Choose what it is about first.</span>
  );
}

function FieldsOf(props: WidgetProps & { type: string }) {
  const { field, type, value } = props;
  const { screen, error } = useScreen(type);
  const known = screen ? offeredNames(screen, field.fieldsOf!) : [];
  const names = [value].flat().flatMap((name) => (typeof name === 'string' ? [name] : []));
  const titleOf = (name: string) =>
    known.find((one) => one.name === name)?.title ?? screen?.fields.find((one) => one.name === name)?.title ?? name;
  if (field.type !== 'tags') {
    const options = [...new Set([...known.map(({ name }) => name), ...names])];
    return (
      <EnumWidget
        {...props}
        bare={props.bare === true}
        disabled={props.disabled === true || !screen}
        field={{ ...field, options: options.map((name) => ({ value: name, label: titleOf(name) })) }}
      />
    );
  }
  return (
    <ChipChoice
      {...props}
      chosen={names.map((name) => ({ name, title: titleOf(name) }))}
      offered={known.filter(({ name }) => !names.includes(name))}
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
