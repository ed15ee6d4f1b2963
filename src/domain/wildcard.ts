/**
 * Whether a text is meant by a pattern: `*` stands for any characters, `?` for one; capitals do not count. Each star goes on
 * from the last place that it came to, so that no pattern takes longer than pattern times text: a regular expression would
 * try every way to share a text among its stars.
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
