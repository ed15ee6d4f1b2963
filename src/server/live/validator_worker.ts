import { parentPort } from 'node:worker_threads';
import { compileSchemaValidatorsCode } from '@rjsf/validator-ajv8/lib/compileSchemaValidatorsCode.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Turns a JSON Schema into the source of a module that the browser imports: no code is made at run time there. */
parentPort?.on('message', ({ id, schema }: { id: number; schema: object }) => {
  try {
    const code = compileSchemaValidatorsCode(schema, { AjvClass: Ajv2020 });
    parentPort?.postMessage({ id, code: `export default (require) => { const exports = {};\n${code}\nreturn exports; };\n` });
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
