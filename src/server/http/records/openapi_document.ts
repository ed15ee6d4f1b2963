import type { Field, JsonSchema, Screen } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import { isProductsOwn } from '../../../descriptor/workflow.ts';
import { LONGEST_REASON } from '../../engine/workflow/transition.ts';
import type { RegisteredRoute } from './own_calls.ts';
import { ownCalls } from './own_calls.ts';

type Json = Record<string, unknown>;

/** The tag of calls that belong to no record type. */
const OTHER_CALLS = 'Other calls';

/**
 * OpenAPI 3.1 of the record types, generated from their compiled screens: a record is described by the same JSON Schema
 * that validates it. All other calls are generated from the registered routes. Covers `docs/http.md`; nothing is
 * written by hand per type.
 */
export function openApiDocument(screens: Screen[], version: string, routes: readonly RegisteredRoute[]): Json {
  const paths: Json = {};
  const schemas: Json = { Error: ERROR, Pagination: PAGINATION };
  for (const screen of screens) {
    schemas[screen.name] = recordSchema(screen);
    Object.assign(paths, withKeys(screen.kind === 'view' ? readingOf(pathsOf(screen), screen) : pathsOf(screen)));
  }
  const titles = new Map(screens.map(({ name, title }) => [name, title]));
  for (const [path, calls] of Object.entries(ownCalls(routes, paths, (word) => titles.get(word) ?? OTHER_CALLS)))
    paths[path] = { ...(paths[path] as Json | undefined), ...(calls as Json) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mainstay',
      version,
      description: 'Every record type has the same calls. Money and other decimals are strings, never floats.',
    },
    servers: [{ url: '/tapi' }],
    security: [{ bearer: [] }],
    tags: [
      ...screens.map((screen) => ({
        name: screen.title,
        description: screen.description ?? `List of ${inSentence(screen.plural)}`,
      })),
      { name: OTHER_CALLS, description: 'Sign-in, files, reports and everything else that is not a record type.' },
    ],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas, parameters: PARAMETERS },
  };
}

/** The record as returned: its own fields, their labels and the common columns. */
function recordSchema(screen: Screen): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    id: { type: 'integer', readOnly: true },
    version: { type: 'integer' },
    active: { type: 'boolean' },
  };
  if (screen.scope === 'entity') properties.entity_id = { type: 'integer', readOnly: true, description: 'Company' };
  for (const field of screen.fields) {
    if (field.hidden === 'always') continue;
    if (field.secret) {
      properties[field.name] = { ...plain(field), writeOnly: true };
      properties[`${field.name}__set`] = { type: 'boolean', readOnly: true };
      continue;
    }
    properties[field.name] = field.formula
      ? { ...plain(field), readOnly: true, description: `Computed: ${field.formula}` }
      : plain(field);
    if (field.ref || field.refBy)
      properties[`${field.name}__label`] = { type: field.type === 'refs' ? 'array' : 'string', readOnly: true };
  }
  for (const { name, title } of screen.counts ?? [])
    properties[name] = { type: 'integer', title, readOnly: true, description: 'In lists alone.' };
  for (const stamp of ['created_at', 'updated_at'])
    properties[stamp] = { type: 'string', format: 'date-time', readOnly: true };
  return { type: 'object', title: screen.title, properties, required: screen.schema.required ?? [] };
}

/** The field's JSON Schema without our own words. */
function plain(field: Field): JsonSchema {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !key.startsWith('x-'))
        .map(([key, inner]) => [key, strip(inner)]),
    );
  };
  return { ...(strip(field.schema) as JsonSchema), title: field.title, ...(field.help && { description: field.help }) };
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
const data = (schema: Json) => json({ type: 'object', properties: { data: schema } });
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });
const refusal = (description: string) => ({ description, ...json(reference('Error')) });

/** The transitions that people can take; the others are automatic. */
const takenByPeople = ({ workflow }: Screen) => workflow?.transitions.filter((one) => !isProductsOwn(one)) ?? [];

/** The request of a transition: the version, the fields it asks for, and its reason. */
function askedBy(screen: Screen, { ask, reason, reasonUse }: Transition): Json {
  const fields = ask.map(({ field }) => screen.fields.find(({ name }) => name === field)!);
  return {
    type: 'object',
    required: [
      'version',
      ...ask.flatMap(({ field, required }) => (required ? [field] : [])),
      ...(reason ? ['reason'] : []),
    ],
    additionalProperties: false,
    properties: {
      version: { type: 'integer' },
      ...Object.fromEntries(fields.map((field) => [field.name, plain(field)])),
      ...(reason &&
        reasonUse === undefined && {
          reason: { type: 'string', minLength: 1, maxLength: LONGEST_REASON, description: reason },
        }),
      ...(reasonUse !== undefined && {
        reason: { type: 'integer', description: 'One of the reasons offered for this step' },
        remark: { type: 'string', maxLength: LONGEST_REASON },
      }),
    },
  };
}

/** Writes of records accept an idempotency key; files do not. */
function withKeys(paths: Json): Json {
  for (const [path, calls] of Object.entries(paths as Record<string, Record<string, { parameters?: Json[] }>>)) {
    if (path.endsWith('/import')) continue;
    for (const method of ['post', 'put', 'delete']) {
      const call = calls[method];
      if (call) call.parameters = [...(call.parameters ?? []), parameter('idempotency_key')];
    }
  }
  return paths;
}

/** A view can only be read and exported. */
function readingOf(paths: Json, { name }: Screen): Json {
  const kept = [`/${name}`, `/${name}/count`, `/${name}/export.xlsx`];
  return Object.fromEntries(kept.map((path) => [path, { get: (paths[path] as { get: Json }).get }]));
}

function pathsOf(screen: Screen): Json {
  const { name, title, plural } = screen;
  const tags = [title];
  const record = reference(name);
  const one = { description: title, ...data(record) };
  const list = inSentence(plural);
  const item = inSentence(title);
  if (screen.kind === 'settings')
    return {
      [`/${name}/single`]: {
        get: {
          tags,
          operationId: `${name}_get`,
          summary: `Read ${item}`,
          responses: { 200: one, 403: refusal('No right') },
        },
        put: {
          tags,
          operationId: `${name}_put`,
          summary: `Save ${item}`,
          requestBody: json(record),
          responses: { 200: one, 409: refusal('Stale version'), 422: refusal('Not valid') },
        },
      },
      [`/${name}/single/sources`]: {
        get: {
          tags,
          operationId: `${name}_sources`,
          summary: `Where the values of ${item} come from`,
          responses: {
            200: {
              description: 'What the server decides, and what the company has for itself',
              ...data({ type: 'object' }),
            },
            403: refusal('No right'),
          },
        },
      },
      ...(screen.fields.some((field) => field.override) && {
        [`/${name}/single/company`]: {
          put: {
            tags,
            operationId: `${name}_company`,
            summary: `Save what the company wants otherwise of ${item}`,
            requestBody: json({
              type: 'object',
              required: ['version', 'values'],
              properties: { version: { type: 'integer' }, values: { type: 'object' } },
            }),
            responses: {
              200: { description: 'What the company has for itself', ...data({ type: 'object' }) },
              409: refusal('Stale version'),
              422: refusal('Not valid'),
            },
          },
        },
      }),
    };
  const filters = ['q', 'filter', 'active'].map(parameter);
  return {
    [`/${name}`]: {
      get: {
        tags,
        operationId: `${name}_list`,
        summary: `List ${list}`,
        parameters: [...['page', 'size', 'sort', 'count', 'after', 'ids'].map(parameter), ...filters],
        responses: {
          200: {
            description: plural,
            ...json({
              type: 'object',
              properties: {
                data: { type: 'array', items: record },
                pagination: reference('Pagination'),
                cursor: { type: ['string', 'null'] },
              },
            }),
          },
          400: refusal('Bad filter or sort'),
          403: refusal('No right'),
        },
      },
      post: {
        tags,
        operationId: `${name}_create`,
        summary: `Add ${item}`,
        requestBody: json(record),
        responses: { 201: one, 409: refusal('Duplicate'), 422: refusal('Not valid, with a message per field') },
      },
    },
    [`/${name}/{id}`]: {
      parameters: [parameter('id')],
      get: {
        tags,
        operationId: `${name}_read`,
        summary: `Read ${item}`,
        responses: { 200: one, 404: refusal('Not found or not visible') },
      },
      put: {
        tags,
        operationId: `${name}_update`,
        summary: `Change ${item}`,
        description: `Changed fields and \`version\`.${screen.fields.some(({ rows }) => rows) ? ' Of child rows the whole list, or a part: `{"add":[{}],"set":{"41":{}},"remove":[40]}`.' : ''}`,
        requestBody: json(record),
        responses: { 200: one, 409: refusal('Stale version, with both versions'), 422: refusal('Not valid') },
      },
      delete: {
        tags,
        operationId: `${name}_delete`,
        summary: `Delete ${item}`,
        responses: { 204: { description: 'Deleted' }, 409: refusal('In use, with where') },
      },
    },
    [`/${name}/count`]: {
      get: {
        tags,
        operationId: `${name}_count`,
        summary: `Count ${list}`,
        parameters: filters,
        responses: {
          200: {
            description: 'Count, capped',
            ...json({ type: 'object', properties: { count: { type: 'integer' }, capped: { type: 'boolean' } } }),
          },
        },
      },
    },
    [`/${name}/options`]: {
      get: {
        tags,
        operationId: `${name}_options`,
        summary: `Look up ${list}`,
        parameters: [parameter('q'), parameter('ids')],
        responses: {
          200: {
            description: 'Choices',
            ...data({
              type: 'array',
              items: {
                type: 'object',
                properties: { id: { type: 'integer' }, label: { type: 'string' }, detail: { type: 'string' } },
              },
            }),
          },
        },
      },
    },
    [`/${name}/{id}/history`]: {
      parameters: [parameter('id')],
      get: {
        tags,
        operationId: `${name}_history`,
        summary: `History of ${item}`,
        parameters: [parameter('page')],
        responses: {
          200: { description: 'Changes, newest first', ...data({ type: 'array', items: { type: 'object' } }) },
        },
      },
    },
    ...Object.fromEntries(
      takenByPeople(screen).map((transition) => [
        `/${name}/{id}/${transition.name}`,
        {
          parameters: [parameter('id')],
          post: {
            tags,
            operationId: `${name}_${transition.name}`,
            summary: `${transition.title}: ${item}`,
            requestBody: json(askedBy(screen, transition)),
            responses: {
              200: one,
              403: refusal('No right, one’s own, for others, or above a deputy’s limit'),
              409: refusal('Stale version, or another state'),
              422: refusal('What is in the way'),
            },
          },
        },
      ]),
    ),
    ...Object.fromEntries(
      takenByPeople(screen).flatMap(({ name: step, title, reasonUse }) =>
        reasonUse === undefined
          ? []
          : [
              [
                `/${name}/reasons/${step}`,
                {
                  get: {
                    tags,
                    operationId: `${name}_${step}_reasons`,
                    summary: `Reasons to choose from: ${title}`,
                    responses: {
                      200: { description: 'Those in use', ...data({ type: 'array', items: { type: 'object' } }) },
                    },
                  },
                },
              ],
            ],
      ),
    ),
    [`/${name}/import`]: {
      post: {
        tags,
        operationId: `${name}_import`,
        summary: `Import ${list} from Excel (dry run)`,
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
            },
          },
        },
        responses: {
          202: { description: 'Run started', ...data({ type: 'object', properties: { id: { type: 'integer' } } }) },
        },
      },
    },
    [`/${name}/export.xlsx`]: {
      get: {
        tags,
        operationId: `${name}_export`,
        summary: `Export ${list}`,
        parameters: [...filters, parameter('sort')],
        responses: { 200: { description: 'Workbook' } },
      },
    },
  };
}

const PARAMETERS: Json = {
  id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
  page: { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
  size: { name: 'size', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 500, default: 50 } },
  sort: {
    name: 'sort',
    in: 'query',
    description: 'Fields separated by commas; "-" for descending',
    schema: { type: 'string' },
  },
  q: { name: 'q', in: 'query', description: 'Quick search', schema: { type: 'string' } },
  filter: {
    name: 'filter',
    in: 'query',
    description: 'JSON: `[field, op, value]` or `["and"|"or", …]`',
    schema: { type: 'string' },
  },
  active: { name: 'active', in: 'query', schema: { enum: ['true', 'false', 'all'], default: 'true' } },
  count: { name: 'count', in: 'query', description: '`none` leaves the count out', schema: { enum: ['none'] } },
  after: { name: 'after', in: 'query', description: 'Cursor from the previous page', schema: { type: 'string' } },
  ids: { name: 'ids', in: 'query', description: 'IDs separated by commas', schema: { type: 'string' } },
  idempotency_key: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A write sent again with the same key is answered but not repeated',
    schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]+$' },
  },
};

const ERROR: Json = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        field: { type: ['string', 'null'] },
        reason: { type: ['string', 'null'] },
        details: {
          type: 'array',
          items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } },
        },
        request_id: { type: 'string' },
      },
    },
  },
};

const nullable = (type: string) => ({ type: [type, 'null'] });
const PAGINATION: Json = {
  type: 'object',
  properties: {
    count: nullable('integer'),
    first: { const: 1 },
    has_next: { type: 'boolean' },
    has_prev: { type: 'boolean' },
    last: nullable('integer'),
    next_page: nullable('integer'),
    page: { type: 'integer' },
    prev_page: nullable('integer'),
    total_pages: nullable('integer'),
    more: { type: 'boolean' },
    capped: { type: 'boolean' },
  },
};
