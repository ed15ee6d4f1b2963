const CLIENT = /^(\/(?:api|tapi))\/client(?=[/?]|$)/;
/**
 * Actions on a client that every record has under the same name: for records they deactivate the record, here the
 * client.
 */
const ACTS: Record<string, string> = { deactivate: 'switch_off', reactivate: 'switch_on' };

/** Clients also have a short address, `/api/client/9/provision`; their records are those of `client_account`. */
export function clientAddress(url: string): string {
  if (!CLIENT.test(url)) return url;
  const long = url.replace(CLIENT, '$1/client_account');
  return long.replace(
    /^([^?]*\/client_account\/\d+)\/(\w+)(?=\?|$)/,
    (_all, record: string, act: string) => `${record}/${ACTS[act] ?? act}`,
  );
}
