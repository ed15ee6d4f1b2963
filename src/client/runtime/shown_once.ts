import { alertDialog } from '../app/feedback.ts';

/** What the server made for a record and shows this one time, such as a key. */
export interface Once {
  label: string;
  value: string;
  text: string;
}

/** Shows it until the person has taken it. */
export async function showOnce(title: string, { label, value, text }: Once): Promise<void> {
  await alertDialog({ type: 'success', title, text, copy: { label, value } });
}
