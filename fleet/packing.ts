// How a fleet is spread over processes: the first devices have one each, as real boxes would; the others are light ones that share a
// few, and differ in nothing else.

/** Devices with a process of their own. */
export const FULL = 24
/** Light devices in a process at most: with its links and their buffers one takes about 60 KB. */
const SHARING = 2500
/** Light devices started a second. A hub that meets all of them for the first time writes each down. */
const STARTED = 200
/** Milliseconds between two starts of some. */
const STEP = 50

/** Groups of a process each, in the order in which they start. */
export function groupsOf(serials: readonly string[]): string[][] {
  const groups = serials.slice(0, FULL).map((sn) => [sn])
  const light = serials.slice(FULL)
  const processes = Math.ceil(light.length / SHARING)
  for (let first = 0; first < processes; first++) groups.push(light.filter((_, index) => index % processes === first))
  return groups
}

/** Whether the devices of a group share their process. */
export const isShared = (group: readonly string[]) => group.length > 1

/**
 * Starts light devices bit by bit, the groups in turns.
 * @param start starts one
 * @param goesOn asked before each step
 */
export async function startSlowly(
  groups: readonly (readonly string[])[],
  start: (sn: string) => void,
  goesOn: () => boolean
): Promise<void> {
  const longest = Math.max(0, ...groups.map((group) => group.length))
  const order = Array.from({ length: longest }, (_, index) => groups.map((group) => group[index] ?? '')).flat()
  const waiting = order.filter(Boolean)
  while (waiting.length > 0 && goesOn()) {
    for (const sn of waiting.splice(0, (STARTED * STEP) / 1000)) start(sn)
    await new Promise((resolve) => setTimeout(resolve, STEP))
  }
}
