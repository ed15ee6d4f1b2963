/** A title within a sentence or after a verb: "Customer grade" → "customer grade", "AMC type" → "AMC type". */
export function inSentence(title: string): string {
  return title.replaceAll(/\p{L}[\p{L}\p{N}]*/gu, (word) => (/\p{Lu}.*\p{Lu}/u.test(word) ? word : word.toLowerCase()));
}
