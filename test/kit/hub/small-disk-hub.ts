// A hub on a small disk for each test: a real file system of 40 MiB.
import { existsSync } from 'node:fs'
import type { Test } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { SYSTEM_STATUS_BITS, systemStatus } from '../../../contract/system.ts'
import { RESERVE_FILE } from '../../../hub/data-folder/entries.ts'
import { until } from '../until.ts'
import type { HubProcess } from './hub-process.ts'
import { createSmallDisk, type SmallDisk } from './small-disk.ts'

/** The disk and the hub of the current test. */
export let disk: SmallDisk
export let hub: HubProcess

/** Starts a hub before each test of a suite, and ends it afterwards. */
export function smallDiskForEach(test: Pick<Test, 'before' | 'after'>): void {
  test.before.each(async () => {
    disk = await createSmallDisk(40)
    await startHub()
    // The hub makes its reserve a few seconds after its start.
    await until(() => existsSync(disk.path(RESERVE_FILE)), 'the reserve')
  })
  test.after.each(async () => {
    await hub.kill()
    await disk.close()
  })
}

/** Starts a hub on the disk. The one before must have ended. */
export async function startHub(): Promise<void> {
  hub = await disk.startHub()
}

export const systemStatusOf = async () => (await hub.send(systemStatus, {})).status.system.status
export const isFaulty = async () => ((await systemStatusOf())['status-code'] & SYSTEM_STATUS_BITS.storageFault) !== 0

/** Fills the WAL until a write is refused. @returns the result of that write */
export async function writeUntilRefused(): Promise<number> {
  for (let n = 0; ; n++) {
    const { result } = await hub.send(addChannel, { name: `full ${n}` })
    if (result !== SUCCESS) return result
  }
}
