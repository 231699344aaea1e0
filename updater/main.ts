// The update service: the only part of Headend that writes releases (docs/architecture/upgrade.md). Environment:
// - HEADEND_UPDATER_SOCKET, HEADEND_RELEASES, HEADEND_PACKAGED: replace the paths of its socket and of the folders
// - TRUSTED_KEYS: colon-separated PEM files (/etc/headend/trusted-keys.pem if it exists, else none)
// - HARDWARE_VERSION: hardware version of an appliance; updates can be for some only
// - DEVELOPMENT=1: also accepts the development key, which everybody has
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { MACHINE_KEYS_FOLDER, readTrustedKeys } from '../pack/trusted-keys.ts'
import { DOWNLOADED_FOLDER, PACKAGED_FOLDER, SOCKET_PATH } from '../pack/update-service.ts'
import { ReleaseFolder } from './release-folder.ts'
import { listen } from './server.ts'
import { UpdateService } from './service.ts'

const {
  HEADEND_UPDATER_SOCKET: socket = SOCKET_PATH,
  HEADEND_RELEASES: downloaded = DOWNLOADED_FOLDER,
  HEADEND_PACKAGED: packaged = PACKAGED_FOLDER,
  TRUSTED_KEYS: paths,
  HARDWARE_VERSION: hardware,
  DEVELOPMENT
} = process.env

const report = (message: string) => void process.stderr.write(`${message}\n`)

/** Milliseconds after a release was activated before the service starts again from it, so that the response arrives. */
const RESTART_DELAY = 500

/** The table of the firewall stays while its service restarts. Hub and engine are restarted by the hub. */
function restartPrograms(): void {
  if (!existsSync('/run/systemd/system')) return
  const restart = (unit: string) =>
    execFile('systemctl', ['--no-block', 'try-restart', unit], (error) => {
      if (error) report(`${unit} could not be restarted: ${error.message}`)
    })
  restart('headend-firewall.service')
  setTimeout(() => restart('headend-updater.service'), RESTART_DELAY)
}

process.title = 'headend-updater'
const folder = new ReleaseFolder({ downloaded, packaged })
folder.clean()
const trusted = readTrustedKeys({ paths, folders: [MACHINE_KEYS_FOLDER], isDevelopment: DEVELOPMENT === '1' })
const machine = { architecture: process.arch, hardware }
const server = await listen(socket, new UpdateService({ folder, trusted, machine, restartPrograms }), report)
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close()
    process.exit(0)
  })
