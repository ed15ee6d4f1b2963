import type { LiveEvent } from '../../api/live.ts';
import { announceResumed, onLive } from '../../api/live.ts';
import { api } from '../../api/http.ts';
import { loadScreen, menu, refetchMenu } from '../../api/screens.ts';
import { onRightsChange, onSessionEnd } from '../../api/session_events.ts';
import { currentSession, isPhone } from '../../app/session.ts';
import { notesTaken, packetKey, packetShown } from './packet_answers.ts';
import type { KeptPacket } from './packet_store.ts';
import { keepPacket, removePackets } from './packet_store.ts';

/** The delay in which changes of records are collected before the packet is loaded again. */
const GATHER_MS = 20_000;
/** The delay before a packet that became outdated during loading is loaded again. */
const AGAIN_MS = 2_000;

let types = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | undefined;
/** Counts events that make a packet being loaded invalid. */
let turn = 0;

/** Loads the data for this device; another person's is removed. Nothing is stored if the server returns nothing. */
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
    // The service worker caches the checks of the form.
    await fetch(validator);
  }
  // The person has signed out in the meantime, or their rights have changed.
  if (asked !== turn || key !== packetKey() || !currentSession().signedIn) return;
  types = new Set(data.types.map(({ type }) => type));
  // Something was sent during collection: the local data includes it, and so will the next packet.
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

/**
 * Phones and the installed application store a packet: a desktop has a network, and the server reads each record for
 * it.
 */
const keepsPacket = (): boolean =>
  isPhone() || (typeof matchMedia === 'function' && matchMedia('(display-mode: standalone)').matches);

/** If the server is unreachable, the stored packet stays. */
const tryTake = () => void (keepsPacket() && takePacket().catch(() => undefined));

/** The server is reachable again: it shows the current data. */
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

/** Keeps the packet of this device up to date from now on. @returns the function that stops it */
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
