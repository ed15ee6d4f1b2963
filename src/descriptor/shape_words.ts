import type { ErrorObject } from 'ajv/dist/2020.js';

const KINDS: Record<string, string> = {
  array: 'a list',
  object: 'an object',
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  null: 'null',
};

/** A JSON Schema error as the end of a sentence that begins with the place: `must be a text.` */
export function shapeWords({ keyword, params, parentSchema }: ErrorObject): string {
  const limit = String(params.limit);
  const entries = (word: string) => `${limit} ${word}${limit === '1' ? '' : 's'}`;
  switch (keyword) {
    case 'type':
      return `must be ${[params.type as string | string[]]
        .flat()
        .map((kind) => KINDS[kind] ?? kind)
        .join(' or ')}.`;
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return limit === '1'
        ? 'is empty.'
        : `needs at least ${limit} ${keyword === 'minLength' ? 'characters' : 'entries'}.`;
    case 'maxLength':
      return `has more than ${entries('character')}.`;
    case 'maxItems':
    case 'maxProperties':
      return `has more than ${limit} ${limit === '1' ? 'entry' : 'entries'}.`;
    case 'minimum':
      return `must be at least ${limit}.`;
    case 'maximum':
      return `must be at most ${limit}.`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}.`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}.`;
    case 'multipleOf':
      return `must be a multiple of ${String(params.multipleOf)}.`;
    case 'uniqueItems':
      return 'names something twice.';
    case 'const':
      return `can only be ${JSON.stringify(params.allowedValue)}.`;
    case 'enum':
      return `is one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}.`;
    case 'oneOf': {
      const branches = ((parentSchema?.oneOf ?? []) as { required?: string[] }[]).flatMap(
        ({ required }) => required ?? [],
      );
      if (branches.length === 0) return 'is not written as expected.';
      const names = branches.map((name) => `"${name}"`);
      return params.passingSchemas === null
        ? `needs one of ${names.join(', ')}.`
        : `has more than one of ${names.join(', ')}.`;
    }
    case 'propertyNames':
      return `cannot have an entry called "${String(params.propertyName)}".`;
    default:
      return 'is not written as expected.';
  }
}
