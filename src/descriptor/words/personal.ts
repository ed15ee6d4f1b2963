import { checkOwner, checkOwnerPath } from './owner.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';
import type { Personal, Shared } from '../types.ts';

type WrittenPersonal = Omit<Personal, 'shared'> & { shared?: Shared | Shared[] };

declare module '../types.ts' {
  interface WrittenWords {
    /** Records that only their owner sees: all, or those whose fields have these values. */
    personal?: WrittenPersonal;
  }
  interface ScreenWords {
    personal?: Personal;
  }
}

const SHARED = {
  description: 'Records that the owner and these people see, and nobody else.',
  type: 'object',
  required: ['with', 'when'],
  additionalProperties: false,
  dependentRequired: { not: ['action'] },
  examples: [{ with: ['participants'], when: { audience: 'participants' } }],
  properties: {
    with: {
      description: 'References to users or employees, of the record or of one that it refers to.',
      type: 'array',
      minItems: 1,
      items: { type: 'string', pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?$' },
    },
    when: {
      description: 'Records whose fields have these values.',
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'string' },
    },
    action: { description: 'Whoever has this right sees them as all others.', type: 'string' },
    not: {
      description: 'People who do not see them by that right: references to users or employees.',
      type: 'array',
      minItems: 1,
      items: { $ref: '#/$defs/fieldName' },
    },
  },
};

export const personal = defineWord<WrittenPersonal>({
  name: 'personal',
  on: 'screen',
  shape: {
    description: 'Records that only their owner can see, whatever rights others have.',
    type: 'object',
    required: ['owner'],
    additionalProperties: false,
    examples: [{ owner: 'owner_id', when: { audience: 'me' } }],
    properties: {
      owner: { description: 'Reference to the user or employee whose record it is.', $ref: '#/$defs/fieldName' },
      when: {
        description: 'Only records whose fields have these values.',
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'string' },
      },
      shared: {
        description: 'Records that the owner and these people see, and nobody else.',
        anyOf: [SHARED, { type: 'array', minItems: 1, items: SHARED }],
      },
    },
  },
  compile: (written) =>
    written ? { personal: { ...written, ...(written.shared && { shared: [written.shared].flat() }) } as Personal } : {},
  check: (check) => {
    const { personal } = check.screen;
    if (!personal) return;
    checkOwner(check, personal.owner, ['personal', 'owner'], '"personal"');
    const { shared = [] } = personal;
    // One entry stands alone, or several in a list.
    const placeOf = (at: number): Path =>
      Array.isArray(check.descriptor.personal?.shared) ? ['personal', 'shared', at] : ['personal', 'shared'];
    for (const [entry, { with: people, not = [] }] of shared.entries()) {
      people.forEach((name, at) => checkOwnerPath(check, name, [...placeOf(entry), 'with', at], '"personal"'));
      not.forEach((name, at) => checkOwner(check, name, [...placeOf(entry), 'not', at], '"personal"'));
    }
    const conditions: [Path, Record<string, string> | undefined][] = [
      [['personal', 'when'], personal.when],
      ...shared.map(({ when }, entry): [Path, Record<string, string>] => [[...placeOf(entry), 'when'], when]),
    ];
    for (const [path, when] of conditions)
      for (const [name, value] of Object.entries(when ?? {})) {
        const field = check.field(name);
        if (!field) check.unknown([...path, name], name, check.names, '"personal"');
        else if (field.type !== 'enum' || !field.options?.some((option) => option.value === value))
          check.report(
            [...path, name],
            `"${value}" is not a value of "${name}".`,
            'Choose a field that is one of a list, and one of its values.',
          );
      }
  },
  overlay: {
    needs: ({ personal }, field) =>
      personal &&
      (personal.owner === field ||
        field in (personal.when ?? {}) ||
        personal.shared?.some(
          ({ with: people, when, not }) =>
            field in when || not?.includes(field) || people.some((name) => name.split('.')[0] === field),
        ))
        ? 'it decides who sees the record'
        : null,
  },
  chapter: 'Parts and owners',
  doc: [
    '**`personal`**: records that only their `owner` sees, whatever rights others have; with `when`, this applies only to',
    'records with these values. `shared`: records with these values are seen by the owner and by the people in `with`, even',
    'if their role shows them only their own records, and by nobody else; with `shared` alone, all other records are seen',
    'as usual. `with` also names people of a record that this one refers to (`unit_id.member_user_ids`); with `action`,',
    'whoever has that right sees these records as all others, except people whom a field under `not` names. `shared` may be',
    'a list; each entry is for its records. Rules of Mail configuration then notify only people whom the record names and',
    'who see it.',
  ],
  example: [
    {
      part: {
        schema: {
          required: ['number', 'owner_id', 'kept'],
          properties: {
            number: { $ref: 'types#code' },
            owner_id: { $ref: 'types#ref', 'x-ref': 'users', 'x-default': 'me', readOnly: true },
            buyer_id: { $ref: 'types#ref', 'x-ref': 'employee', 'x-default': 'me' },
            kept: { enum: ['private', 'helpers', 'shared'], default: 'shared' },
            helpers: { $ref: 'types#refs', 'x-ref': 'employee' },
            due_on: { $ref: 'types#date' },
            ordered_on: { $ref: 'types#date' },
            supplier: { $ref: 'types#name' },
            total: { $ref: 'types#money' },
            status: { enum: ['open'] },
          },
        },
        mine: ['buyer_id', 'created_by'],
        personal: {
          owner: 'owner_id',
          when: { kept: 'private' },
          shared: { with: ['helpers'], when: { kept: 'helpers' } },
        },
      },
    },
  ],
});
