// A data folder and a backup file for each test, and the commands that back up and restore.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'
import { channelDashboard } from '../../../contract/stream/channel.ts'
import { type HubProcess, startHubProcess } from './hub-process.ts'

/** The folder of the current test; the data folder and the path of the backup are in it. */
export let folder: string
export let data: string
export let archive: string
const hubs: HubProcess[] = []

/** Creates the folders before each test of a suite. Ends the hubs and removes the folders after it. */
export function backupFolderForEach(test: Pick<Test, 'before' | 'after'>): void {
  test.before.each(() => {
    folder = mkdtempSync(join(tmpdir(), 'headend-backup-'))
    data = join(folder, 'data')
    archive = join(folder, 'backup.tar')
    mkdirSync(data)
  })
  test.after.each(async () => {
    for (const hub of hubs.splice(0)) await hub.kill()
    rmSync(folder, { recursive: true, force: true })
  })
}

/** Starts a hub on a data folder. It ends with the test. */
export async function startOn(path: string): Promise<HubProcess> {
  const hub = await startHubProcess(path)
  hubs.push(hub)
  return hub
}

/** Runs a command on a data folder. */
export function run(program: 'backup' | 'restore', file: string, path = data) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`hub/${program}-data.ts`, file], {
    env: { ...process.env, DATA: path },
    encoding: 'utf8'
  })
  return { status, text: stdout + stderr }
}

export const channelNames = async (hub: HubProcess) =>
  (await hub.send(channelDashboard, {})).list.map(({ name }) => name)
