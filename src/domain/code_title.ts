/** The readable name of a code: `CREATE_MASTERS` → "Create masters". */
export function codeTitle(code: string): string {
  const text = code.toLowerCase().replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
