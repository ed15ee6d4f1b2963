import { useContext, useState } from 'react';
import type { DescribedField } from '../../../../descriptor/shape_fields.ts';
import { lineFields, listOfShape, shapeOfList } from '../../../../descriptor/shape_fields.ts';
import type { JsonSchema } from '../../../../descriptor/types.ts';
import type { WidgetProps } from '../widget.ts';
import { FieldErrorsContext } from '../widget.ts';
import { ShapedRows } from './ShapedFields.tsx';

/** The fields that a record defines for other records: their names, types and limits. Stored as a JSON Schema. */
export default function DescribedList(props: WidgetProps) {
  const { field, id, value, onChange } = props;
  const messages = useContext(FieldErrorsContext);
  // A line without a name is in the list but not in the value.
  const [lines, setLines] = useState<DescribedField[]>(() => listOfShape((value ?? {}) as JsonSchema));
  return (
    <ShapedRows
      id={id}
      path={field.name}
      title={field.title}
      messages={messages}
      readOnly={props.readOnly === true || props.disabled === true}
      fieldsOf={(line) => lineFields(line as DescribedField)}
      rows={lines as Record<string, unknown>[]}
      onChange={(next) => {
        setLines(next as DescribedField[]);
        onChange(shapeOfList(next as DescribedField[]));
      }}
      {...(props.onProblem && { onProblem: props.onProblem })}
    />
  );
}
