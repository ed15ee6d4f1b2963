/** A file within a zip, as listed in the zip's directory. */
export interface ZipEntry {
  name: string;
  encrypted: boolean;
  /** 0 = stored as it is, 8 = deflate. */
  method: number;
  /** Compressed and unpacked size in bytes; 0xffffffff = too large for this field. */
  packed: number;
  unpacked: number;
  /** Position of its header; 0xffffffff as above. */
  header: number;
}

/** The central directory of a zip; empty if the file is not a zip or its end is missing. */
export function* zipDirectory(bytes: Buffer): Generator<ZipEntry> {
  if (bytes.length < 22 || bytes.readUInt32LE(0) !== 0x04034b50) return;
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== 0x06054b50) end--;
  if (end < 0) return;
  let at = bytes.readUInt32LE(end + 16);
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    const [name, extra, comment] = [
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ];
    yield {
      name: bytes.toString('utf8', at + 46, at + 46 + name),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) !== 0,
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      header: bytes.readUInt32LE(at + 42),
    };
    at += 46 + name + extra + comment;
  }
}
