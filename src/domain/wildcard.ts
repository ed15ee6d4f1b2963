/**
 * Whether a text matches a pattern: `*` stands for any characters, `?` for one; case is ignored. Each star continues
 * from its last match, so that no pattern takes longer than pattern length times text length: a regular expression
 * would try every split of the text among its stars.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [wanted, given] = [Array.from(pattern.toLowerCase()), Array.from(text.toLowerCase())];
  let [at, place] = [0, 0];
  let star = -1;
  let starPlace = 0;
  while (place < given.length) {
    if (wanted[at] === '*') {
      star = at++;
      starPlace = place;
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[place])) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++starPlace;
    } else return false;
  }
  while (wanted[at] === '*') at++;
  return at === wanted.length;
}
