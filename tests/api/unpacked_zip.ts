import { inflateRawSync } from 'node:zlib';
import { zipDirectory } from '../../src/server/engine/excel/zip_directory.ts';

/** The files of a ZIP by their names. */
export function unpackedZip(bytes: Buffer): Map<string, Buffer> {
  return new Map(
    [...zipDirectory(bytes)].map(({ name, method, packed, header }) => {
      const from = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
      const content = bytes.subarray(from, from + packed);
      return [name, method === 0 ? content : inflateRawSync(content)];
    }),
  );
}
