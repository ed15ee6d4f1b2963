import type { CustomValidatorOptionsType } from '@rjsf/validator-ajv8';
import { compileSchemaValidatorsCode } from '@rjsf/validator-ajv8/lib/compileSchemaValidatorsCode.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

// The draft 2020-12 class has every method of the default one; only the types of the two packages differ.
const options = { AjvClass: Ajv2020 as unknown as NonNullable<CustomValidatorOptionsType['AjvClass']> };

/**
 * Compiles a JSON Schema into the source of a module that the browser imports: the browser does not generate code at
 * run time.
 */
export default function validatorSource(schema: object): string {
  const code = compileSchemaValidatorsCode(schema, options);
  return `export default (require) => { const exports = {};\n${code}\nreturn exports; };\n`;
}
