// A release of three small files, and updates with it: enough for the format and for the update service.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHubUpdate, type HubUpdateOptions } from '../../../firmware-pack/hub-update.ts'

/** Creates a signed update. The program of its release prints its version. */
export function createSmallUpdate(
  options: Pick<HubUpdateOptions, 'version' | 'signer'> & Partial<HubUpdateOptions>
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'headend-small-release-'))
  try {
    mkdirSync(join(folder, 'bin'))
    mkdirSync(join(folder, 'hub'))
    writeFileSync(join(folder, 'bin/node'), `#!/bin/sh\necho "$1 of ${options.version}"\n`)
    chmodSync(join(folder, 'bin/node'), 0o755)
    writeFileSync(join(folder, 'hub/main.ts'), 'export {}\n'.repeat(100))
    writeFileSync(join(folder, 'package.json'), `{ "version": "${options.version}" }\n`)
    return createHubUpdate({
      folder,
      commit: { id: '0'.repeat(40), time: 1_800_000_000, changed: false },
      architecture: process.arch,
      level: 1,
      ...options
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
