import type { LiveEvent } from '../../api/live.ts';
import { announceResumed, onLive } from '../../api/live.ts';
import { api } from '../../api/http.ts';
import { loadScreen, menu, refetchMenu } from '../../api/screens.ts';
import { onRightsChange, onSessionEnd } from '../../api/session_events.ts';
import { currentSession, isPhone } from '../../app/session.ts';
import { notesTaken, packetKey, packetShown } from './packet_answers.ts';
import type { KeptPacket } from './packet_store.ts';
import { keepPacket, removePackets } from './packet_store.ts';

/** So long changes of records are gathered before the packet is fetched again. */
const GATHER_MS = 20_000;
/** So long until a packet is fetched again that something overtook on its way. */
const AGAIN_MS = 2_000;

let types = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | undefined;
/** Counts what makes a packet that is on its way the wrong one. */
let turn = 0;

/** Fetches what this device keeps; another person's is removed. Nothing is kept where the server names nothing. */
function takePacket(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  if (running) return running;
  const call = take().finally(() => {
    if (running === call) running = undefined;
  });
  running = call;
  return call;
}

async function take(): Promise<void> {
  const asked = ++turn;
  const key = packetKey();
  const noted = notesTaken();
  if (!currentSession().signedIn || !menu.get().loaded) return;
  const { data } = await api.get<{ data: { as_of: string } & Pick<KeptPacket, 'types' | 'sheets'> }>(
    '/tapi/offline/packet',
    undefined,
    { quiet: true },
  );
  const screens: KeptPacket['screens'] = {};
  for (const { type } of data.types) {
    const { screen, validatorUrl: validator } = await loadScreen(type);
    screens[type] = { screen, validator };
    // The service worker keeps the checks of the form.
    await fetch(validator);
  }
  // Meanwhile the person has signed out, or their rights have changed.
  if (asked !== turn || key !== packetKey() || !currentSession().signedIn) return;
  types = new Set(data.types.map(({ type }) => type));
  // Something was sent while it was collected: what is here knows of that, and the next packet does too.
  if (noted !== notesTaken()) {
    timer ??= setTimeout(tryTake, AGAIN_MS);
    return;
  }
  const { loaded: _loaded, error: _error, ...shown } = menu.get();
  if (types.size === 0) await removePackets();
  else
    await keepPacket({ key, asOf: data.as_of, menu: { data: shown }, screens, types: data.types, sheets: data.sheets });
}

/** Removes what this device keeps. */
export async function dropPacket(): Promise<void> {
  turn++;
  running = undefined;
  clearTimeout(timer);
  timer = undefined;
  packetShown.set(null);
  await removePackets();
}

/** Phones and the installed application keep a packet: a desk has a network, and the server reads each record of it anew. */
const keepsPacket = (): boolean =>
  isPhone() || (typeof matchMedia === 'function' && matchMedia('(display-mode: standalone)').matches);

/** Where nothing answers, the packet that is kept stays. */
const tryTake = () => void (keepsPacket() && takePacket().catch(() => undefined));

/** The server can be reached again: it shows what is now. */
function returned(): void {
  if (packetShown.get() === null) return;
  packetShown.set(null);
  announceResumed();
  void refetchMenu();
}

function changed(live: LiveEvent): void {
  if (live.event === 'state' || live.event === 'resumed') returned();
  if (live.event === 'rights') {
    void dropPacket().then(tryTake, () => undefined);
    return;
  }
  const isOurs =
    live.event === 'screens' || live.event === 'resumed' || (live.event === 'record' && types.has(live.data.type));
  if (isOurs) timer ??= setTimeout(tryTake, GATHER_MS);
}

/** Keeps the packet of this device as it should be, from now on. @returns how to stop */
export function followPacket(): () => void {
  let of = '';
  const arrived = () => {
    if (!menu.get().loaded || packetShown.get() !== null || of === packetKey()) return;
    of = packetKey();
    tryTake();
  };
  const stops = [
    menu.subscribe(arrived),
    onLive(changed),
    onRightsChange(() => void dropPacket().then(tryTake, () => undefined)),
    onSessionEnd(() => void dropPacket().catch(() => undefined)),
  ];
  addEventListener('online', returned);
  arrived();
  return () => {
    removeEventListener('online', returned);
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
