import type { RJSFSchema, ValidatorType } from '@rjsf/utils';
import { hashForSchema } from '@rjsf/utils';
import equal from 'ajv/dist/runtime/equal.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import validationError from 'ajv/dist/runtime/validation_error.js';
import * as formats from 'ajv-formats/dist/formats.js';
import type { SchemaError } from '../../../descriptor/validate.ts';

/** The parts of Ajv that the precompiled functions need at run time. */
const parts: Record<string, unknown> = {
  'ajv/dist/runtime/equal': equal,
  'ajv/dist/runtime/ucs2length': ucs2length,
  'ajv/dist/runtime/validation_error': validationError,
  'ajv-formats/dist/formats': formats,
};

interface Check {
  (data: unknown): boolean;
  errors?: SchemaError[] | null;
}
type Checks = Record<string, Check>;

/** The findings of a screen's JSON Schema for a record. */
export type SchemaCheck = (record: unknown) => SchemaError[];

export interface LoadedChecks {
  checks: Checks;
  check: SchemaCheck;
}

const loaded = new Map<string, Promise<LoadedChecks>>();

/**
 * Imports the functions that the server compiled from the screen's JSON Schema. The content security policy forbids
 * compiling here.
 */
export function loadChecks(url: string, schemaId: string): Promise<LoadedChecks> {
  const known = loaded.get(url);
  if (known) return known;
  const loading = import(/* @vite-ignore */ url).then(
    (module: { default: (require: (id: string) => unknown) => Checks }) => asChecks(module.default(need), schemaId),
  );
  loaded.set(url, loading);
  loading.catch(() => loaded.delete(url));
  return loading;
}

function need(id: string): unknown {
  if (id in parts) return parts[id];
  throw new Error(`The validator asks for ${id}, which is not bundled.`);
}

/** Also for tests, which compile in place. */
function asChecks(checks: Checks, schemaId: string): LoadedChecks {
  return {
    checks,
    check: (record) => {
      const main = checks[schemaId];
      if (!main || main(record)) return [];
      const errors = main.errors ?? [];
      main.errors = null;
      return errors;
    },
  };
}

/**
 * The validator passed to RJSF, which only evaluates conditions of the schema. Until the functions are loaded, all
 * conditions are false; values are validated separately, on blur and on saving.
 */
export function conditionValidator(current: () => LoadedChecks | null): ValidatorType {
  return {
    isValid: (schema: RJSFSchema, data: unknown) => {
      const check = current()?.checks[schema.$id ?? hashForSchema(schema)];
      return check !== undefined && check(data);
    },
    validateFormData: () => ({ errors: [], errorSchema: {} }),
    rawValidation: () => ({ errors: [] }),
  } as ValidatorType;
}
