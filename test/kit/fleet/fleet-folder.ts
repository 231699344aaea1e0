// A hub and a data folder for each test of the fleet's main process.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'
import { createRoster } from '../../../fleet/roster.ts'
import { until } from '../until.ts'
import { type FleetProcess, startFleet } from './fleet-process.ts'
import { type LinkHub, startLinkHub } from './link-hub.ts'

/** The hub of the current test, its data folder, and the fleet if one was started with `start`. */
export let hub: LinkHub
export let data: string
export let fleet: FleetProcess | undefined

/** Serial numbers of the first two devices. */
export const [first = '', second = ''] = createRoster(2).map(({ sn }) => sn)

/** Starts a hub before each test of a suite. Ends hub and fleet and removes the folder after it. */
export function fleetForEach(test: Pick<Test, 'before' | 'after'>): void {
  test.before.each(async () => {
    hub = await startLinkHub()
    data = mkdtempSync(join(tmpdir(), 'fleet-'))
  })
  test.after.each(async () => {
    await fleet?.kill('SIGTERM')
    fleet = undefined
    await hub.close()
    rmSync(data, { recursive: true })
  })
}

/**
 * Starts a fleet of `count` devices, and waits until `online` of them are connected and report it to the fleet, or all.
 */
export async function start(count: number, clip?: Uint8Array, online = count): Promise<FleetProcess> {
  fleet = await startFleet(data, hub.port, count, clip)
  await until(() => hub.online().length === online, 'all links')
  const { list } = fleet
  await until(async () => (await list()).filter(({ state }) => state === 'up').length === online, 'all reports')
  return fleet
}

/** Process IDs of the children of a process. */
export const children = (pid: number | undefined) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
