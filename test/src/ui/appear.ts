import { until } from '../../kit/until.ts'

/** Waits until an element is there. @returns the element */
export async function appear<Found extends Element>(
  find: () => Found | null | undefined,
  what: string
): Promise<Found> {
  await until(() => Boolean(find()), what)
  return find() as Found
}
