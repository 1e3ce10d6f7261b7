// What is drawn again only when it is not what it was: plain data compared by what it holds.

/** Whether two pieces of plain data hold the same. */
export function alike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length
    && keys.every((key) => alike((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]));
}

/** Remembers what it saw under each key, and gives it back as long as what comes is like it. */
export class Kept<Value> {
  private readonly seen = new Map<number, Value>();

  keep(key: number, value: Value): Value {
    const before = this.seen.get(key);
    if (before !== undefined && alike(before, value)) return before;
    this.seen.set(key, value);
    return value;
  }
}
