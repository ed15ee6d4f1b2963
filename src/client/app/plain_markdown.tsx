import type { ReactNode } from 'react';

/** Stands in for markdown-to-jsx inside RJSF: our titles and help texts are plain text. */
export function Markdown({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}
