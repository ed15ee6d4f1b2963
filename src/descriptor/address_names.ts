/** A field of the record in an address. */
export const NAME_IN_ADDRESS = /:([a-z][a-z0-9_]*)/g;

/** The fields whose values are in an address, `id` among them. */
export const namesInAddress = (address: string): string[] =>
  [...address.matchAll(NAME_IN_ADDRESS)].map(([, name]) => name!);
