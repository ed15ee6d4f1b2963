/** A value with the members of its objects in order, at any depth: objects are equal whatever order theirs are in. */
export function membersInOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(membersInOrder);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, membersInOrder(inner)]),
  );
}
