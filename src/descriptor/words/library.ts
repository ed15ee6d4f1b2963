import { defineWord } from './word.ts';

interface Library {
  from: string;
  /** The rows of its records that are offered, in place of the records. */
  rows?: string;
  origin: string;
  map: Record<string, string>;
}

declare module '../types.ts' {
  interface WrittenWords {
    /**
     * Records that can be copied from a list of the platform: own field → its field; `origin` stores the original code.
     */
    library?: Library;
  }
  interface ScreenWords {
    library?: Library;
  }
}

export const library = defineWord<Library>({
  name: 'library',
  on: 'screen',
  shape: {
    description: 'A list of the platform from which a client copies records.',
    type: 'object',
    required: ['from', 'origin', 'map'],
    additionalProperties: false,
    examples: [{ from: 'admin_dept', origin: 'library_code', map: { code: 'code', name: 'name' } }],
    properties: {
      from: { description: 'The type of the platform, with a field "code".', type: 'string' },
      rows: {
        description: 'The rows of its records that are offered instead of the records: rows with a "code".',
        $ref: '#/$defs/fieldName',
      },
      origin: {
        description: "Text field of this type that stores the record's code in the library.",
        $ref: '#/$defs/fieldName',
      },
      map: {
        description: "Field of this type: the library's field that fills it.",
        type: 'object',
        minProperties: 1,
        additionalProperties: { $ref: '#/$defs/fieldName' },
      },
    },
  },
  // Fields of the same kind, or references to lists that come from a library too.
  check: (check) => {
    const { library, name: ownName, scope } = check.screen;
    if (!library) return;
    const from = check.type(library.from, ['library', 'from']);
    if (!from) return;
    if (from.scope !== 'platform' || scope === 'platform')
      check.report(
        ['library', 'from'],
        `"${ownName}" cannot take records from "${from.name}".`,
        'A list of clients takes from a list with "scope": "platform".',
      );
    const offered = library.rows === undefined ? from : from.fields.find(({ name }) => name === library.rows)?.rows;
    const fields = Array.isArray(offered) ? offered : (offered?.fields ?? []);
    if (!fields.some(({ name }) => name === 'code'))
      check.report(
        ['library', library.rows === undefined ? 'from' : 'rows'],
        `"${library.rows ?? from.name}" has no field "code" by which its records are known again.`,
        'Choose a list with codes.',
      );
    const origin = check.field(library.origin);
    if (!origin) check.unknown(['library', 'origin'], library.origin, check.names, '"origin"');
    else if (!['text', 'code'].includes(origin.type))
      check.report(
        ['library', 'origin'],
        `"${origin.name}" cannot keep a code: it is of type ${origin.type}.`,
        'Choose a text field.',
      );
    for (const [name, theirs] of Object.entries(library.map)) {
      const path = ['library', 'map', name];
      const field = check.field(name);
      const given = fields.find((one) => one.name === theirs);
      if (!field) check.unknown(path, name, check.names, 'the library');
      else if (!given)
        check.unknown(
          path,
          theirs,
          fields.map((one) => one.name),
          `the library (a field of ${from.name})`,
        );
      else if (
        field.ref
          ? given.ref === undefined
            ? !['text', 'code'].includes(given.type) ||
              !check.all.drafts.get(field.ref.type)?.screen.fields.some(({ name: own }) => own === 'code')
            : check.all.drafts.get(field.ref.type)?.screen.library?.from !== given.ref.type
          : (field.rows === undefined) !== (given.rows === undefined) ||
            (given.ref !== undefined && (given.type !== 'ref' || !['text', 'code'].includes(field.type)))
      )
        check.report(
          path,
          `"${theirs}" of ${from.name} does not fit "${name}".`,
          field.ref
            ? `"${field.ref.type}" needs a "library" that comes from "${given.ref?.type ?? '…'}", or a field "code" and a text with it.`
            : 'Choose a field of the same kind.',
        );
    }
  },
  overlay: {
    needs: ({ library }, field) =>
      library && (library.origin === field || field in library.map) ? 'it comes from the platform’s library' : null,
  },
  chapter: "Records from the platform's libraries",
  doc: [
    '**`library`**: lets a list of a client copy records from a list of the platform, in "Add from library". `from` is the',
    "platform's type, which has a `code`; `map` says which of its fields fills which field of the client's type; `origin`",
    'is the text field that stores the code. The library offers active records that are `published` and, if it has',
    "`industries`, belong to the client's industry. Records copied before are marked. A record that the client already has",
    'under the same key is linked instead of added twice, or, on request, stays beside the copy, which gets another key. A',
    "reference is filled with the client's record of the same origin; a required reference copies its record too; a text",
    'takes the code of the record that the library refers to. Child rows are copied with the columns of the same names;',
    "rows without a required reference are left out. With `rows` the rows of the library's records are offered, each once,",
    'beside the record they are in. A reference can also be found by a text that has the code of its record. Later changes by the platform are shown as an update, field by field,',
    'and are applied only when somebody accepts them.',
  ],
  example: [
    {
      name: 'site_function',
      part: {
        $schema: '../meta/screen.schema.json',
        title: 'Site function',
        access: { screen: 'SCN_SITE_FUNCTION' },
        schema: {
          required: ['code', 'name'],
          properties: {
            code: { $ref: 'types#code' },
            name: { $ref: 'types#name' },
            above_id: { $ref: 'types#ref', 'x-ref': 'site_function' },
            library_code: { $ref: 'types#text', title: 'From library', maxLength: 20, readOnly: true },
          },
        },
        unique: [['code'], ['name']],
        library: {
          from: 'admin_function',
          origin: 'library_code',
          map: { code: 'code', name: 'name', above_id: 'parent_function_id' },
        },
      },
    },
  ],
});
