import { useEffect, useState } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import { ApiError, api } from '../../../api/http.ts';
import { askedBy } from '../reference/option_calls.ts';
import type { FieldHost } from '../widget.ts';
import type { Capture, StoredFile } from './stored_file.ts';
import { ON_DEVICE } from './stored_file.ts';

/** The size from which a file is sent in parts, so that a broken connection does not restart it. In bytes. */
const IN_PARTS = 8 * 1024 * 1024;

/**
 * Stores a file for a field; it belongs to the record once that is saved. Without a network it may be stored on this
 * device.
 */
export async function uploadFile(
  host: FieldHost | null,
  field: Field,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
  capture: Capture | null = null,
): Promise<StoredFile> {
  try {
    return await send(host, field, file, onProgress, signal, capture);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0 || !host || !mayWait(host)) throw error;
    return (await import('../../offline/waiting_files.ts')).keepFile(askedBy(host, field), file);
  }
}

/** Whether records of the form, and their answers, can be stored on this device. */
const mayWait = ({ screen, part, asked }: FieldHost): boolean => screen.offline !== undefined && !part && !asked;

async function send(
  host: FieldHost | null,
  field: Field,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
  capture: Capture | null,
): Promise<StoredFile> {
  const reported = captureWords(capture);
  if (host && file.size > IN_PARTS)
    return (await import('./send_parts.ts')).sendParts(askedBy(host, field), file, onProgress, signal, reported);
  const form = new FormData();
  form.set('file', file, file.name);
  const asked = new URLSearchParams({ ...(host && { for: askedBy(host, field) }), ...reported }).toString();
  const { data } = await api.upload<{ data: StoredFile }>(`/tapi/files?${asked}`, form, onProgress, {
    quiet: true,
    signal,
    ...(host?.entityId !== undefined && { entityId: host.entityId }),
  });
  return data;
}

const captureWords = (capture: Capture | null): Record<string, string> =>
  capture ? { camera: '1', ...(capture.place && { place: `${capture.place.lat},${capture.place.lng}` }) } : {};

/**
 * An address at which the browser can fetch the file; valid for a minute. `small`: a picture of at most 256 pixels per
 * side.
 */
export async function fileAddress(id: number, small = false): Promise<string> {
  if (id > ON_DEVICE) {
    const here = await (await import('../../offline/waiting_files.ts')).waitingAddress(id);
    if (typeof here === 'number') return fileAddress(here, small);
    if (here === null) throw new ApiError(404, 'not_found', 'This file is no longer on this device.');
    return here;
  }
  return (
    await api.get<{ url: string }>(`/tapi/files/${id}/link`, small ? { size: 'small' } : undefined, { quiet: true })
  ).url;
}

/** Opens a file in a new tab. The tab is opened first, because a browser blocks tabs opened after a wait. */
export async function openFile(id: number): Promise<void> {
  const tab = window.open('', '_blank');
  try {
    const url = await fileAddress(id);
    if (tab) {
      tab.opener = null;
      tab.location.href = url;
    } else location.assign(url);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** The address of a picture; null until it is known or if there is none. Small, unless `whole`. */
export function useFileAddress(id: number | null, whole = false): string | null {
  const [address, setAddress] = useState<{ id: number; url: string } | null>(null);
  useEffect(() => {
    if (id === null) return;
    let gone = false;
    fileAddress(id, !whole)
      .then((url) => !gone && setAddress({ id, url }))
      // If the picture fails to load, the field still shows that a file is stored.
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [id, whole]);
  return address !== null && address.id === id ? address.url : null;
}
