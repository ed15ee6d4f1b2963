/** Ctrl+P prints the record, list or report, not just its visible part. */
export function listenForPrint(): () => void {
  const press = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'p') return;
    event.preventDefault();
    void import('./print_page.ts').then(({ printPage }) => printPage());
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}
