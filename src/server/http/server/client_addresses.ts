const CLIENT = /^(\/(?:api|tapi))\/client(?=[/?]|$)/;
/** Acts on a client that every record has under the same word: there they take the record out of use, here they switch the client off. */
const ACTS: Record<string, string> = { deactivate: 'switch_off', reactivate: 'switch_on' };

/** Clients are also called by the short address, `/api/client/9/provision`; their records are those of `client_account`. */
export function clientAddress(url: string): string {
  if (!CLIENT.test(url)) return url;
  const long = url.replace(CLIENT, '$1/client_account');
  return long.replace(
    /^([^?]*\/client_account\/\d+)\/(\w+)(?=\?|$)/,
    (_all, record: string, act: string) => `${record}/${ACTS[act] ?? act}`,
  );
}
