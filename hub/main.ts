// Starts the hub. Environment variables, with defaults:
// - PORT (3000), HOST (127.0.0.1), LINK_PORT (8070): ports for browsers and devices, and the address on which all ports
//   listen; `::` is all addresses, of IPv6 and IPv4. The settings can choose other ports; they count only while these
//   variables, HTTPS_PORT and FILES_PORT are the same as when they were chosen
// - HOSTS: names and addresses under which the hub answers besides its own, separated by commas; the settings can add
//   more
// - DATA (./data): data folder
// - DIST (./dist): folder of the built console; DEV=1 reads it again for each request
// - MACHINE (view): `manage` lets the hub change the settings of its machine (docs/architecture/machine.md)
//   With `manage`, or with SETUP_CODE=1, the setup code that is asked for beside the default password is printed, and
//   written to SETUP_CODE_FILE if that is set
// - ENGINE_SOCKET: socket of the stream engine (default: `engine/engine.sock` in the data folder)
// - RECORDINGS: folder for recordings of channels (default: `recordings` in the data folder)
// - FILES_PORT (8080): port for HLS outputs and downloads; if another program uses it, the hub works without it
// - HTTPS_PORT: port for browsers over TLS; without it HTTPS is off until the settings enable it, and `off` keeps it
//   off, whatever they say
// - SRT_PORT, RTMP_PORT: shared ports to use instead of those in the settings; 0 = chosen by the system
// - TRUSTED_KEYS: colon-separated PEM files with the keys whose updates and lists of firmware are accepted
//   (DATA/trusted-keys.pem if it exists, else /etc/headend/trusted-keys.pem, else none)
// - CLOUD: address of a cloud with which the hub registers (port 8070 by default), and INVITATION of that cloud, which
//   a hub that is registered there does not need; CLOUD_SSL=0 connects without TLS. Without CLOUD the settings say it
// - LICENSE_KEYS: the same for licences (DATA/license-keys.pem if it exists, else none); LICENSE_SERVER: address of the
//   licence server
// - HARDWARE_UPDATE: program of the image for front panel and capture cards (docs/architecture/hardware-update.md)
// - HEADEND_UPDATER_SOCKET (/run/headend-updater/socket): socket of the update service (docs/architecture/upgrade.md)
// - HARDWARE_VERSION: hardware version of an appliance; updates can be for some only
// - DEVELOPMENT=1: also accepts the development key, which everybody has, and shows that on every page
// Exit statuses are in `data-folder/exit-status.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { urlHost } from '../contract/ipv6.ts'
import { LINK_PORT } from '../contract/limits.ts'
import { listenAddress } from '../engine/access/listen-address.ts'
import type { Budget } from '../pack/budget.ts'
import { LICENSES, MACHINE_KEYS_FOLDER, readTrustedKeys } from '../pack/trusted-keys.ts'
import { SOCKET_PATH } from '../pack/update-service.ts'
import { VERSION } from '../web-server/version.ts'
import { EXIT_CONFIG, EXIT_DATA_IN_USE, EXIT_DATA_REFUSED, EXIT_FAILURE } from './data-folder/exit-status.ts'
import { DataInUseError } from './data-folder/lock.ts'
import { DatabaseRefusedError } from './database/inspect.ts'
import { createHub, type RunningHub } from './hub.ts'
import { parseServerAddress } from './license/license-server.ts'
import { parseMachineMode } from './machine/machine.ts'
import { openTrialLink } from './upgrade/trial/trial-link.ts'
import { readTrialReport } from './upgrade/trial/trial-report.ts'
import { runPendingTrial } from './upgrade/trial/trial-runner.ts'
import { createUpdaterClient } from './upgrade/updater-client.ts'

const {
  PORT = '3000',
  HOST = '127.0.0.1',
  HOSTS = '',
  LINK_PORT: linkPortText = String(LINK_PORT),
  DATA = './data',
  DIST,
  DEV,
  SRT_PORT,
  RTMP_PORT,
  FILES_PORT,
  HTTPS_PORT,
  TRUSTED_KEYS,
  CLOUD,
  INVITATION,
  CLOUD_SSL = '1',
  LICENSE_KEYS,
  LICENSE_SERVER,
  HARDWARE_UPDATE,
  DEVELOPMENT,
  MACHINE = 'view',
  SETUP_CODE,
  SETUP_CODE_FILE,
  ENGINE_SOCKET,
  RECORDINGS,
  HEADEND_UPDATER_SOCKET = SOCKET_PATH,
  HARDWARE_VERSION
} = process.env

process.title = 'headend-hub'

/**
 * Ends the hub like SIGTERM, after it has shown open consoles that it is restarted. The supervisor or
 * `systemctl reload headend` sends it; the hub is then started again.
 */
const RESTART_SIGNAL = 'SIGUSR2'

/** Size limits for console updates. */
function readBudget(): Budget {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../size-budget.json'), 'utf8'))
}

/** Shows the setup code where only an operator of the machine reads: the journal, and the prompt of its console. */
function announceSetupCode(code: string | undefined): void {
  if (code) console.log(`Setup code: ${code} (to sign in with the default password from another machine)`)
  if (!SETUP_CODE_FILE) return
  try {
    writeFileSync(SETUP_CODE_FILE, code ? `Headend setup code: ${code}\n\n` : '', { mode: 0o600 })
  } catch (error) {
    console.error(`The setup code could not be written to ${SETUP_CODE_FILE}: ${(error as Error).message}`)
  }
}

const updater = createUpdaterClient(HEADEND_UPDATER_SOCKET)

/** Runs the trial of another release if one has begun, and ends the process if that release stays. */
async function runTrial(): Promise<void> {
  const outcome = await runPendingTrial({ data: DATA, version: VERSION, updater }).catch(exitRefused)
  if (outcome.kind === 'ended') process.exit(outcome.status)
}

/** Creates a hub and opens its ports. It ends the process if that is not possible. */
async function start(): Promise<RunningHub> {
  const development = DEVELOPMENT === '1'
  const trusted = readTrustedKeys({
    paths: TRUSTED_KEYS,
    folders: [DATA, MACHINE_KEYS_FOLDER],
    isDevelopment: development
  })
  const licenseKeys = readTrustedKeys({
    paths: LICENSE_KEYS,
    folders: [DATA],
    isDevelopment: development,
    purpose: LICENSES
  })
  return createHub({
    data: DATA,
    dist: DIST ?? './dist',
    host: listenAddress(HOST),
    hosts: HOSTS.split(/[\s,]+/).filter(Boolean),
    dev: DEV === '1',
    development,
    machine: parseMachineMode(MACHINE),
    ...((parseMachineMode(MACHINE) === 'manage' || SETUP_CODE === '1') && { announceSetupCode }),
    consoleUpdater: { trusted, budget: readBudget() },
    firmware: { trusted },
    license: { trusted: licenseKeys, ...(LICENSE_SERVER && { server: parseServerAddress(LICENSE_SERVER) }) },
    ...(CLOUD && { cloud: { address: CLOUD, invitation: INVITATION, ssl: CLOUD_SSL !== '0' } }),
    ...(HARDWARE_UPDATE && { hardwareUpdate: resolve(HARDWARE_UPDATE) }),
    ...(ENGINE_SOCKET && { engineSocket: ENGINE_SOCKET }),
    ...(RECORDINGS && { recordings: resolve(RECORDINGS) }),
    updater,
    ...(HARDWARE_VERSION && { hardware: HARDWARE_VERSION }),
    ...(trial && { trial }),
    endProcess: () => void end('restart'),
    restart: () => void restart()
  }).catch(exitRefused)
}

function exitRefused(error: Error): never {
  console.error(`The hub cannot start on ${DATA}: ${error.message}.`)
  if (error instanceof DataInUseError) process.exit(EXIT_DATA_IN_USE)
  if (!(error instanceof DatabaseRefusedError)) process.exit(EXIT_FAILURE)
  for (const line of error.advice) console.error(line)
  process.exit(EXIT_DATA_REFUSED)
}

/** A port that the system has chosen stays the same when the hub is restarted in this process. */
let ports = { web: Number(PORT), link: Number(linkPortText) }

/** Opens the ports of the hub. It ends the process if that is not possible. */
async function listen(): Promise<void> {
  try {
    const overrides = {
      ...(SRT_PORT && { srt: Number(SRT_PORT) }),
      ...(RTMP_PORT && { rtmp: Number(RTMP_PORT) }),
      ...(FILES_PORT && { files: Number(FILES_PORT) }),
      ...(HTTPS_PORT && { https: HTTPS_PORT === 'off' ? null : Number(HTTPS_PORT) })
    }
    await running.whenChannelsKnown()
    const open = await running.listen(ports.web, ports.link, overrides)
    ports = { web: ports.web || open.port, link: ports.link || open.linkPort }
    console.log(`Hub: http://${urlHost(HOST)}:${open.port}/ (devices register at port ${open.linkPort})`)
    trial?.report(loopbackUrl(open.port), () => readTrialReport(running.parts))
  } catch (error) {
    const { code, port } = error as NodeJS.ErrnoException & { port?: number }
    const isInUse = code === 'EADDRINUSE'
    console.error(isInUse ? `Port ${port} is in use: choose another with PORT or LINK_PORT.` : error)
    await running.close()
    process.exit(isInUse ? EXIT_CONFIG : EXIT_FAILURE)
  }
}

let isClosing = false

/** Replaces the running hub with a new one, which reads the data folder again. The engine and its streams continue. */
async function restart(): Promise<void> {
  if (isClosing) return
  isClosing = true
  await running.close('restart')
  running = await start()
  isClosing = false
  await listen()
}

/** The address of the console on this machine. @param port for HTTP */
function loopbackUrl(port: number): string {
  return `http://${/^(::|0\.0\.0\.0)$/.test(HOST) ? '127.0.0.1' : urlHost(HOST)}:${port}`
}

/** Closes the hub, and ends the process. @param ending `restart`: it is started again */
async function end(ending?: 'restart'): Promise<void> {
  if (isClosing) process.exit(1)
  isClosing = true
  trial?.close()
  await running.close(ending)
  process.exit(0)
}

const trial = openTrialLink(() => void end())
if (!trial) await runTrial()
let running = await start()

// Set up before the address is printed, because a program that reads it may end the hub at once.
for (const signal of ['SIGINT', 'SIGTERM', RESTART_SIGNAL] as const)
  process.on(signal, () => void end(signal === RESTART_SIGNAL ? 'restart' : undefined))

await listen()
