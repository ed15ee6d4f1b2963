import { setImmediate } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { Screen } from '../../../descriptor/types.ts';
import { noteUnseen, unseenOf } from '../../../descriptor/unseen.ts';
import type { Unseen } from '../../../descriptor/unseen.ts';

/** Screens as bytes, some in each. */
export type PackedScreens = Uint8Array[];

/** Screens that are packed before others have their turn: about a millisecond's work. */
const AT_A_TIME = 16;

interface Packed {
  screen: Screen;
  unseen: Unseen | undefined;
}

const packed = new WeakMap<ReadonlyMap<string, Screen>, Promise<PackedScreens>>();

/**
 * Screens for another process. Handed over as they are, they would be packed all at once while everybody waits:
 * they are packed in parts, and once for all tasks that have the same.
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

/** Of the task before, in a process that does tasks. */
let received: Map<string, Screen> = new Map();

/** The screens of a task, where it is done. @param parts null = those of the task before */
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
