import type { ReactNode } from 'react';

/** Replaces markdown-to-jsx inside RJSF: our titles and help texts are plain text. */
export function Markdown({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}
