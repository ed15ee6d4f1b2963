import { setImmediate } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { Screen } from '../../../descriptor/types.ts';
import { noteUnseen, unseenOf } from '../../../descriptor/unseen.ts';
import type { Unseen } from '../../../descriptor/unseen.ts';

/** Serialised screens, several per part. */
export type PackedScreens = Uint8Array[];

/** The number of screens serialised before yielding: about a millisecond of work. */
const AT_A_TIME = 16;

interface Packed {
  screen: Screen;
  unseen: Unseen | undefined;
}

const packed = new WeakMap<ReadonlyMap<string, Screen>, Promise<PackedScreens>>();

/**
 * Screens for another process. Serialising them all at once would block the server, so they are serialised in parts,
 * and once for all tasks with the same screens.
 */
export function packScreens(screens: ReadonlyMap<string, Screen>): Promise<PackedScreens> {
  let made = packed.get(screens);
  if (!made) packed.set(screens, (made = pack([...screens.values()])));
  return made;
}

async function pack(screens: Screen[]): Promise<PackedScreens> {
  const parts: PackedScreens = [];
  for (let from = 0; from < screens.length; from += AT_A_TIME) {
    parts.push(
      serialize(screens.slice(from, from + AT_A_TIME).map((screen): Packed => ({ screen, unseen: unseenOf(screen) }))),
    );
    await setImmediate();
  }
  return parts;
}

/** The screens of the previous task, in a process that runs tasks. */
let received: Map<string, Screen> = new Map();

/** The screens of a task, in the process that runs it. @param parts null = those of the previous task */
export function receivedScreens(parts: PackedScreens | null): Map<string, Screen> {
  if (parts !== null) received = unpackScreens(parts);
  return received;
}

/** Screens from their bytes, by name. */
export function unpackScreens(parts: PackedScreens): Map<string, Screen> {
  const screens = parts.flatMap((part) => deserialize(part) as Packed[]);
  for (const { screen, unseen } of screens) noteUnseen(screen, unseen);
  return new Map(screens.map(({ screen }) => [screen.name, screen]));
}
