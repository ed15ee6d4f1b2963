const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * The check character (15th) of a GSTIN: weights 1 and 2 alternate over the first fourteen in base 36, quotient and
 * remainder by 36 are added, (36 − sum mod 36) mod 36.
 */
export function gstinCheckCharacter(first14: string): string {
  let sum = 0;
  for (const [index, character] of [...first14].entries()) {
    const product = ALPHABET.indexOf(character) * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return ALPHABET.charAt((36 - (sum % 36)) % 36);
}

/** The GSTIN of the first registration of `pan` in the state. */
export function gstin(gstStateCode: string, pan: string): string {
  const first = `${gstStateCode}${pan}1Z`;
  return first + gstinCheckCharacter(first);
}
