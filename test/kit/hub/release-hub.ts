// What a hub in this process needs to run from a release: the update service with a folder of releases, and a data
// folder. The releases contain nothing that can be started.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENGINE_PROTOCOL } from '../../../engine/interfaces/wire.ts'
import { createHubUpdate } from '../../../firmware-pack/hub-update.ts'
import { UpgradeFiles } from '../../../hub/upgrade/trial/trial-files.ts'
import { createUpdaterClient } from '../../../hub/upgrade/updater-client.ts'
import { DEVELOPMENT_KEY } from '../../../pack/keys.ts'
import { ReleaseFolder } from '../../../updater/release-folder.ts'
import { listen } from '../../../updater/server.ts'
import { UpdateService } from '../../../updater/service.ts'
import { VERSION } from '../../../web-server/version.ts'
import { developmentSigner } from './console-update.ts'
import type { TestHubOptions } from './hub.ts'

/** Writes the files of a release by which the update service knows it. */
function writeRelease(folder: string): string {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin/node'), '#!/bin/sh\n')
  chmodSync(join(folder, 'bin/node'), 0o755)
  return folder
}

/** A signed update with a release. */
export function createReleaseUpdate(version: string): Buffer {
  const folder = writeRelease(mkdtempSync(join(tmpdir(), 'headend-release-update-')))
  const commit = { id: 'c'.repeat(40), time: 1_700_000_000, changed: false }
  const signer = developmentSigner()
  const update = createHubUpdate({ folder, version, commit, signer, architecture: process.arch, level: 1 })
  rmSync(folder, { recursive: true })
  return update
}

export interface ReleaseHub {
  /** Options of the hub. */
  options: Partial<TestHubOptions>
  /** What the hub has stored about upgrades. */
  files: UpgradeFiles
  /** How often the hub has ended its process, to be started again. */
  endings(): number
  /** Adds a release that was in use before, with its data. */
  addFormer(version: string): void
  close(): Promise<void>
}

/** Starts the update service, with a release of the version of the hub. */
export async function startReleaseHub(): Promise<ReleaseHub> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-release-hub-'))
  const [data, packaged, downloaded] = ['data', 'packaged', 'downloaded'].map((name) => join(folder, name)) as [
    string,
    string,
    string
  ]
  writeRelease(join(packaged, VERSION))
  const service = new UpdateService({
    folder: new ReleaseFolder({ downloaded, packaged }),
    trusted: [DEVELOPMENT_KEY],
    machine: { architecture: process.arch, hardware: undefined },
    restartPrograms() {}
  })
  const socket = join(folder, 'updater.sock')
  const server = await listen(socket, service, () => {})
  const files = new UpgradeFiles(data)
  let endings = 0
  return {
    options: {
      data,
      consoleUpdater: { trusted: [DEVELOPMENT_KEY] },
      updater: createUpdaterClient(socket),
      endProcess: () => endings++
    },
    files,
    endings: () => endings,
    addFormer(version) {
      writeRelease(join(downloaded, version))
      files.write('former', { version, time: Date.now(), protocol: ENGINE_PROTOCOL })
      writeFileSync(files.pathOf('former.sqlite'), '')
    },
    async close() {
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
