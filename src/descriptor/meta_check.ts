import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import dashboardSchema from '../../schemas/meta/dashboard.schema.json' with { type: 'json' };
import reportSchema from '../../schemas/meta/report.schema.json' with { type: 'json' };
import jobsSchema from '../../schemas/meta/jobs.schema.json' with { type: 'json' };
import { shapeWords } from './shape_words.ts';
import { screenSchema } from './words/screen_schema.ts';
import typesSchema from '../../schemas/meta/types.schema.json' with { type: 'json' };
import { Source, didYouMean } from './source.ts';
import type { JsonSchema, Problem } from './types.ts';

type Path = (string | number)[];
interface Finding {
  keyword: string;
  path: Path;
  message: string;
  hint?: string;
}

/** The words of a descriptor, from the registry. */
export const DESCRIPTOR_WORDS: ReadonlySet<string> = new Set(Object.keys(screenSchema.properties));

/** The words of a report. */
export const REPORT_WORDS: ReadonlySet<string> = new Set(Object.keys(reportSchema.properties));

/** The words of a dashboard. */
export const DASHBOARD_WORDS: ReadonlySet<string> = new Set(Object.keys(dashboardSchema.properties));

interface Validators {
  screen: ValidateFunction;
  dashboard: ValidateFunction;
  report: ValidateFunction;
  jobs: ValidateFunction;
  types: ValidateFunction;
}
let compiled: Validators | undefined;

function validators(): Validators {
  if (compiled) return compiled;
  // A start reads some hundred descriptors: optimising the validators takes longer than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, code: { optimize: false } });
  const screen = ajv.compile({ ...screenSchema, $id: 'screen.schema.json' });
  compiled = {
    screen,
    report: ajv.compile({ ...reportSchema, $id: 'report.schema.json' }),
    dashboard: ajv.compile({ ...dashboardSchema, $id: 'dashboard.schema.json' }),
    jobs: ajv.compile({ ...jobsSchema, $id: 'jobs.schema.json' }),
    types: ajv.compile({ ...typesSchema, $id: 'types.schema.json' }),
  };
  return compiled;
}

/** The errors in types.json: every descriptor depends on it. */
export function typesProblems(file: string, text: string): Problem[] {
  const source = new Source(file, text);
  if (source.problems.length > 0) return source.problems;
  const { types } = validators();
  if (!types(JSON.parse(text)))
    for (const { path, message, hint } of findings(types.errors ?? [])) source.report(path, message, hint);
  return source.problems;
}

/**
 * Checks a descriptor against its meta-schema and reports errors that are not reported yet. False if a word has an
 * unexpected shape: then nothing can be compiled safely.
 */
export function hasRightShape(
  descriptor: unknown,
  source: Source,
  kind: 'screen' | 'report' | 'dashboard' | 'jobs' = 'screen',
): boolean {
  const validate = validators()[kind];
  if (validate(descriptor)) return true;
  const fresh = findings(validate.errors ?? []).filter(({ path }) => !source.hasReported(path));
  for (const { path, message, hint } of fresh) source.report(path, message, hint);
  // An unknown word does not affect the rest, which is checked as well.
  return fresh.every(({ keyword }) => keyword === 'additionalProperties');
}

/** Enough for the files of some folders; then it begins anew. */
const MAX_KNOWN = 5_000;
/** Kinds and texts of files whose shape is right: reading a folder again checks only what has changed. */
const known = new Set<string>();

/** The same for a source that holds this descriptor and nothing else. */
export function fileHasRightShape(
  descriptor: unknown,
  source: Source,
  kind: 'screen' | 'report' | 'dashboard' = 'screen',
): boolean {
  const key = `${kind} ${source.text}`;
  if (known.has(key)) return true;
  const before = source.problems.length;
  const right = hasRightShape(descriptor, source, kind);
  if (!right || source.problems.length > before) return right;
  if (known.size === MAX_KNOWN) known.clear();
  known.add(key);
  return true;
}

function findings(errors: ErrorObject[]): Finding[] {
  const paths = errors.map(pathOf);
  const deeper = (path: Path) =>
    paths.some((other) => other.length > path.length && path.every((step, index) => other[index] === step));
  const found = new Map<string, Finding>();
  const isAlternative = ({ keyword }: ErrorObject) => keyword === 'anyOf' || keyword === 'oneOf';
  errors.forEach((error, index) => {
    const path = paths[index]!;
    // An error inside an alternative is more helpful than "none of them fits".
    if (error.keyword === 'if' || error.propertyName !== undefined || (error.keyword === 'anyOf' && deeper(path)))
      return;
    // Branches of an alternative at its own place: the alternative itself is reported.
    const within = errors.find((other) => isAlternative(other) && other.instancePath === error.instancePath);
    if (within && within !== error && (within.keyword === 'oneOf' || path.length === pathOf(within).length)) return;
    const key = path.join('\u0000');
    if (!found.has(key)) found.set(key, { keyword: error.keyword, path, ...words(error) });
  });
  return [...found.values()];
}

function pathOf({ instancePath, keyword, params }: ErrorObject): Path {
  const path: Path = instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replace(/~1/g, '/').replace(/~0/g, '~')));
  if (keyword === 'required') path.push(String(params.missingProperty));
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty));
  return path;
}

function words(error: ErrorObject): { message: string; hint?: string } {
  const { keyword, params, parentSchema, data } = error;
  const schema = (parentSchema ?? {}) as JsonSchema & { examples?: unknown[] };
  const steps = pathOf(error);
  const last = steps.at(-1);
  const place =
    last === undefined
      ? 'The descriptor'
      : typeof last === 'number'
        ? `Entry ${last + 1} of "${String(steps.at(-2))}"`
        : `"${last}"`;
  const { example } = schemaOf(schema);
  switch (keyword) {
    case 'required': {
      const missing = (schema.properties ?? {})[String(params.missingProperty)] ?? {};
      const more = schemaOf(missing);
      return {
        message: `"${String(params.missingProperty)}" is missing.`,
        hint: more.description ?? more.example ?? example,
      };
    }
    case 'additionalProperties':
      return {
        message: `Unknown word "${String(params.additionalProperty)}".`,
        hint: didYouMean(String(params.additionalProperty), Object.keys(schema.properties ?? {})),
      };
    case 'enum':
      return {
        message: `${place} cannot be ${JSON.stringify(data)}.`,
        hint:
          typeof data === 'string'
            ? didYouMean(data, (params.allowedValues as unknown[]).map(String))
            : `There are: ${(params.allowedValues as unknown[]).join(', ')}.`,
      };
    default:
      return { message: `${place} ${shapeWords(error)}`, ...hintOf(error, example ?? schema.description) };
  }
}

/** The correction, if the shape itself defines it. */
function hintOf({ keyword, params }: ErrorObject, described: string | undefined): { hint?: string } {
  const hint =
    keyword === 'propertyNames'
      ? (described ?? 'Names have lower-case letters, digits and underscores.')
      : keyword === 'uniqueItems'
        ? 'Name each once.'
        : keyword.startsWith('min') && params.limit === 1
          ? (described ?? 'Fill it in, or leave the word out.')
          : described;
  return { ...(hint && { hint }) };
}

/** Description and example of a part of the meta-schema, following a reference. */
function schemaOf(schema: JsonSchema): { description?: string; example?: string } {
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace(/^.*#\/\$defs\//, '') : undefined;
  const target = (name === undefined ? undefined : screenSchema.$defs[name]) ?? {};
  const description = schema.description ?? target.description;
  const examples = (schema.examples ?? target.examples) as unknown[] | undefined;
  return {
    ...(description && { description }),
    ...(examples && { example: `Write for instance ${JSON.stringify(examples[0])}.` }),
  };
}
