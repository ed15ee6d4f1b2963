import type { Field, Screen } from '../../../descriptor/types.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { api } from '../../api/http.ts';
import { currentSession } from '../../app/session.ts';
import { putPart } from '../fields/files/send_parts.ts';
import type { StoredFile } from '../fields/files/stored_file.ts';
import { ON_DEVICE, isOnDevice } from '../fields/files/stored_file.ts';
import type { WaitingFile } from './device_store.ts';
import { fileNumbers, fileOnDevice, filesOfContent, removeFile, storeFile } from './device_store.ts';

type Values = Readonly<Record<string, unknown>>;
const CONTENT = /sha256:([0-9a-f]{64})/g;

/** Stores a file on this device until it can be sent. The server assigns another id. */
export async function keepFile(target: string, file: File): Promise<StoredFile> {
  const bytes = await file.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const { userId: person } = currentSession();
  const known = (await filesOfContent(sha256)).find((one) => one.person === person && one.target === target);
  const { name, type, size } = file;
  const id = await storeFile({ ...(known && { id: known.id }), person, sha256, name, type, target, bytes });
  return { id: ON_DEVICE + id, name, size, type };
}

/** An address at which the browser shows a file of this device; null = it was removed. A stored file has its id. */
export async function waitingAddress(id: number): Promise<string | number | null> {
  const file = await fileOnDevice(id - ON_DEVICE);
  if (!file || file.person !== currentSession().userId) return null;
  if (!file.bytes) return file.stored ?? null;
  return URL.createObjectURL(new Blob([file.bytes], { type: file.type }));
}

/** A value in which each file of this device is replaced. */
async function replaced(
  fields: readonly Field[],
  values: Values,
  instead: (id: number) => Promise<unknown>,
): Promise<Values> {
  const result: Record<string, unknown> = { ...values };
  for (const field of fields) {
    const value = values[field.name];
    if (fieldType(field.type).can.file && typeof value === 'number' && value > ON_DEVICE)
      result[field.name] = await instead(value);
    if (field.rows && Array.isArray(value)) {
      const rows = [];
      for (const row of value as Values[]) rows.push(await replaced(field.rows, row, instead));
      result[field.name] = rows;
    }
  }
  return result;
}

/** Values with files of this device by content hash, as an action refers to them. */
export const byContent = ({ fields }: Pick<Screen, 'fields'>, values: Values): Promise<Values> =>
  replaced(fields, values, async (id) => {
    const file = await fileOnDevice(id - ON_DEVICE);
    return file ? `sha256:${file.sha256}` : null;
  });

/** Values with files of this device sent, by the ids that the server assigns. @throws ApiError */
export const withFilesSent = ({ fields }: Pick<Screen, 'fields'>, values: Values): Promise<Values> =>
  replaced(fields, values, async (id) => {
    const file = await fileOnDevice(id - ON_DEVICE);
    return file ? (await sendFile(file, currentSession().entityId)).stored : null;
  });

/** Answers with files of this device sent, by the ids that the server assigns. @throws ApiError */
export async function answersWithFiles<Given extends { value: unknown }>(
  answers: readonly Given[],
  entityId: number | null,
): Promise<Given[]> {
  const sent: Given[] = [];
  for (const one of answers) {
    if (!Array.isArray(one.value)) {
      sent.push(one);
      continue;
    }
    const value: unknown[] = [];
    for (const id of one.value as unknown[]) {
      if (!isOnDevice(id)) value.push(id);
      else {
        const file = await fileOnDevice(id - ON_DEVICE);
        if (file) value.push((await sendFile(file, entityId)).stored);
      }
    }
    sent.push({ ...one, value: value.length === 0 ? null : value });
  }
  return sent;
}

/** The content hashes used by an action. */
export const contentsOf = (input: unknown): string[] =>
  [...JSON.stringify(input).matchAll(CONTENT)].map(([, sha256]) => sha256!);

/** Sends the files of an action; those already on the server are not sent again. @throws ApiError */
export async function sendFilesOf(input: unknown, entityId: number | null): Promise<void> {
  const { userId } = currentSession();
  for (const sha256 of contentsOf(input))
    for (const file of await filesOfContent(sha256)) if (file.person === userId) await sendFile(file, entityId);
}

type Sent = Partial<StoredFile> & { upload_id?: string; offset?: number; part?: number };

/** Sends one file, resuming an interrupted upload; the server recognises it by its content. */
async function sendFile(file: WaitingFile, entityId: number | null): Promise<WaitingFile> {
  if (file.stored !== undefined || !file.bytes) return file;
  const { bytes, name, target, sha256 } = file;
  const options = { quiet: true, entityId };
  const begin = () =>
    api.post<{ data: Sent }>('/tapi/files/parts', { name, size: bytes.byteLength, for: target, sha256 }, options);
  let { data } = await begin();
  const { upload_id: upload, part = bytes.byteLength } = data;
  while (data.id === undefined) {
    const { offset = 0 } = data;
    data = await putPart(
      `/tapi/files/parts/${upload}?offset=${offset}`,
      new Blob([bytes.slice(offset, offset + part)]),
      undefined,
      options,
    );
  }
  const sent = { ...file, stored: data.id };
  await storeFile(sent);
  return sent;
}

/** Releases the content of files that are sent and that no action needs; forms may still use their numbers. */
export async function forgetSent(named: ReadonlySet<string>): Promise<void> {
  for (const id of await fileNumbers()) {
    const file = await fileOnDevice(id);
    if (!file?.bytes || file.stored === undefined || named.has(file.sha256)) continue;
    const { bytes: _sent, ...rest } = file;
    await storeFile(rest);
  }
}

/** Removes a person's files that no action and no answer needs; `answers`: the ids of files in answers. */
export async function removeFilesOf(
  person: number,
  named: ReadonlySet<string>,
  answers: ReadonlySet<number>,
): Promise<void> {
  for (const id of await fileNumbers()) {
    const file = await fileOnDevice(id);
    if (file?.person === person && !named.has(file.sha256) && !answers.has(ON_DEVICE + id)) await removeFile(id);
  }
}
