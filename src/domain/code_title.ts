/** The name of a code as people read it: `CREATE_MASTERS` → "Create masters". */
export function codeTitle(code: string): string {
  const text = code.toLowerCase().replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
