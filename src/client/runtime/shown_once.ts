import { alertDialog } from '../app/feedback.ts';

/** A value that the server created for a record and shows only once, such as a key. */
export interface Once {
  label: string;
  value: string;
  text: string;
}

/** Shows it until the person closes it. */
export async function showOnce(title: string, { label, value, text }: Once): Promise<void> {
  await alertDialog({ type: 'success', title, text, copy: { label, value } });
}
