// Distribution of the devices over processes. The first devices have a process each, like real devices; the others
// share processes.

/** Number of devices that run in separate processes. */
export const OWN_PROCESS_DEVICES = 24
/** Maximum number of devices in a shared process. Each takes about 60 KB, including its link and buffers. */
const DEVICES_PER_PROCESS = 2500
/** Devices in shared processes that are started per second. Limited, because the hub stores each new device. */
const STARTS_PER_SECOND = 200
/** Milliseconds between two batches of starts. */
const BATCH_INTERVAL = 50

/** Splits serial numbers into groups with a process each, in the order in which the processes start. */
export function groupSerials(serials: readonly string[]): string[][] {
  const groups = serials.slice(0, OWN_PROCESS_DEVICES).map((sn) => [sn])
  const sharing = serials.slice(OWN_PROCESS_DEVICES)
  const processes = Math.ceil(sharing.length / DEVICES_PER_PROCESS)
  for (let first = 0; first < processes; first++) groups.push(sharing.filter((_, index) => index % processes === first))
  return groups
}

/** Whether the devices of a group share a process. */
export const isShared = (group: readonly string[]) => group.length > 1

/**
 * Starts devices gradually, in turn from each group.
 * @param start starts a device
 * @param shouldContinue called before each batch
 */
export async function startGradually(
  groups: readonly (readonly string[])[],
  start: (sn: string) => void,
  shouldContinue: () => boolean
): Promise<void> {
  const longest = Math.max(0, ...groups.map((group) => group.length))
  const order = Array.from({ length: longest }, (_, index) => groups.map((group) => group[index] ?? '')).flat()
  const queue = order.filter(Boolean)
  while (queue.length > 0 && shouldContinue()) {
    for (const sn of queue.splice(0, (STARTS_PER_SECOND * BATCH_INTERVAL) / 1000)) start(sn)
    await new Promise((resolve) => setTimeout(resolve, BATCH_INTERVAL))
  }
}
