import { fieldType } from '../../descriptor/fieldtypes/registry.ts';
import type { RecordAction, Screen, WireRecord } from '../../descriptor/types.ts';
import { api } from '../api/http.ts';
import { toast } from '../app/feedback.ts';

/** Executes a browser action on a record. */
export async function browserAction(screen: Screen, action: RecordAction, record: WireRecord): Promise<void> {
  const field = screen.fields.find(({ name }) => name === action.of);
  const value = field ? record[field.name] : null;
  switch (action.browser) {
    case 'print':
      window.print();
      return;
    case 'copy_link': {
      const route = screen.routes.view ?? screen.routes.edit;
      return copy(
        action,
        route ? new URL(route.replace(':id', String(record.id)), location.origin).href : location.href,
      );
    }
    case 'copy':
      return copy(action, field ? fieldType(field.type).format(value, field) : '');
    case 'files':
      return saveFiles(screen, [record.id]);
    case 'open':
      // Only these addresses may be opened.
      if (typeof value === 'string' && /^https?:\/\//i.test(value)) window.open(value, '_blank', 'noopener,noreferrer');
      else toast.error(`${field?.title ?? action.title} is not an address that can be opened.`);
  }
}

/** Saves the files of records as one ZIP; the call itself shows a refusal. */
export async function saveFiles(screen: Screen, ids: readonly number[]): Promise<void> {
  await api.downloadMade(`/tapi/${screen.name}/files`, { ids }).catch(() => undefined);
}

async function copy(action: RecordAction, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(action.done ?? 'Copied.');
  } catch {
    toast.error('The browser blocked copying. Select the text and copy it manually.');
  }
}
