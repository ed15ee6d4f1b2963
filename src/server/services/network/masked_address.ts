/** An address that may be stored: without tokens in the path or query. */
export function maskAddress(url: string): string {
  return url
    .replace(/(\/update_refresh_token\/)[^/?#]+/, '$1***')
    .replace(/(\/files\/)[\w-]{20,}\.[\w-]+/, '$1***')
    .replace(/(\/articles\/preview\/)[\w-]+/, '$1***')
    .replace(/(\/calendar\/)[\w-]{20,}/, '$1***')
    .replace(/(\/(?:papi|public)\/)[\w-]{20,}/, '$1***')
    .replace(/mk_live_[\w-]+/g, 'mk_live_***')
    .replace(/([?&][^=&]*(?:token|password|secret)[^=&]*=)[^&#]*/gi, '$1***');
}
