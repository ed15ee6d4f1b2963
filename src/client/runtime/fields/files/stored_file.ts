/** A file that the server has stored. */
export interface StoredFile {
  id: number;
  name: string;
  size: number;
  type: string;
}

/** What the device reports of a picture that it has just taken. */
export interface Capture {
  place: { lat: number; lng: number } | null;
}

/** A file that is not sent yet has an id above this one; the server never uses such ids. */
export const ON_DEVICE = 2 ** 52;

/** Whether a value is a file of this device. */
export const isOnDevice = (value: unknown): value is number => typeof value === 'number' && value > ON_DEVICE;
