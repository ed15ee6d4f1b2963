import type { JsonSchema } from './types.ts';

/** A string argument that is not plain text. */
export interface MarkedArgument {
  path: (string | number)[];
  value: string;
  mark: 'x-expr' | 'x-field' | 'x-type';
}

const MARKS = ['x-expr', 'x-field', 'x-type'] as const;

/** The string arguments that their schema marks as expressions, field names or record types. */
export function markedArguments(schema: JsonSchema | undefined, args: unknown): MarkedArgument[] {
  if (schema === undefined || args === null || args === undefined) return [];
  if (typeof args === 'string') {
    const mark = MARKS.find((one) => schema[one] === true);
    return mark ? [{ path: [], value: args, mark }] : [];
  }
  if (typeof args !== 'object') return [];
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const others = (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined) as
    | JsonSchema
    | undefined;
  return Object.entries(args).flatMap(([name, value]) =>
    markedArguments(Array.isArray(args) ? (schema.items as JsonSchema) : (properties[name] ?? others), value).map(
      (found) => ({ ...found, path: [Array.isArray(args) ? Number(name) : name, ...found.path] }),
    ),
  );
}
