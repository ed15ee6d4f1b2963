/** A file that the server has stored. */
export interface StoredFile {
  id: number;
  name: string;
  size: number;
  type: string;
}

/** A file that is not sent yet has an id above this one; the server never uses such ids. */
export const ON_DEVICE = 2 ** 52;

/** Whether a value is a file of this device. */
export const isOnDevice = (value: unknown): value is number => typeof value === 'number' && value > ON_DEVICE;
