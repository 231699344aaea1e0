// A demo device that does not register with a hub, but can be added to one by its address: `node fleet/at-address.ts
// [model] [port] [--real] [--https] [--documented]`, or `[port] --report FILE` to answer what a real device did
// (`make device-report`). With `--real` it is as slow as real devices, handles one request at a time and ends sessions
// soon; with `--https` it has a self-signed certificate, another one at each start; with
// `--documented` it answers the documented requests and no others, really sends the streams that it is set up for,
// really plays what it is told, and has pictures. Without HTTPS it answers SSDP searches on the loopback interface. It
// has no persistent state.

import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Appliance } from './apis/appliance.ts'
import { createDocumentedApi } from './documented/documented-api.ts'
import { createReportedApi, readReport } from './documented/reported-api.ts'
import { Machine } from './machine.ts'
import { MODELS } from './models.ts'
import { createDeviceHttpServer, REAL_PACE } from './network/http-server.ts'
import { createSelfSignedCertificate } from './network/self-signed.ts'
import { answerSearches, type SsdpDevice, withDescription } from './network/ssdp.ts'
import type { RosterEntry } from './roster.ts'
import { clipPath, encodeClips } from './streams/media.ts'
import { createCamera } from './test-picture/camera.ts'
import { Upgrader } from './upgrade.ts'

const ADDRESS = '127.0.0.1'
const USER = 'Admin'
const PASSWORD = 'Admin'
/** Milliseconds of a restart and of an installation. */
const REBOOT_TIME = 5000
const INSTALL_TIME = 4000
/** Milliseconds for the response to a reboot request to be sent. */
const REBOOT_DELAY = 200
/** Folder of the clips that devices send. It is kept, because encoding takes a while. */
const media = join(tmpdir(), 'headend-demo-clips')

const { values: flags, positionals } = parseArgs({
  options: {
    real: { type: 'boolean' },
    https: { type: 'boolean' },
    documented: { type: 'boolean' },
    report: { type: 'string' }
  },
  allowPositionals: true
})
const report = flags.report === undefined ? undefined : readReport(flags.report)
const modelOfReport = Object.entries(MODELS).find(([, each]) => each.api === report?.api)?.[0] ?? ''
const [key = 'encodeAio', port = '8085'] = report ? [modelOfReport, ...positionals] : positionals
const model = Object.hasOwn(MODELS, key) ? MODELS[key as keyof typeof MODELS] : undefined
if (!model || model.api === 'none') {
  const models = Object.entries(MODELS).filter(([, { api }]) => api !== 'none')
  console.error(`Models: ${models.map(([name]) => name).join(', ')}.`)
  process.exit(1)
}

const product = model.productId.toString(16).toUpperCase().padStart(3, '0')
const sn = report?.sn ?? `${model.serial}${product}210699001`
const entry: RosterEntry = { sn, name: `${report?.model ?? model.name} at an address`, model }
let { name } = entry
let firmware: string = model.firmware
let isRestarting = false
const machine = new Machine(entry, () => 'normal')
const upgrader = new Upgrader({
  model,
  behaviour: () => 'normal',
  duration: INSTALL_TIME,
  onCompleted: () => model.api !== 'mwapi' && appliance.reboot()
})
const appliance: Appliance = {
  entry,
  machine,
  upgrader,
  name: () => name,
  firmware: () => firmware,
  rename(next) {
    name = next
  },
  reboot() {
    if (isRestarting) return false
    isRestarting = true
    setTimeout(restart, REBOOT_DELAY)
    return true
  },
  get restarting() {
    return isRestarting
  }
}
const documented = report
  ? createReportedApi(report)
  : flags.documented
    ? createDocumentedApi({ appliance, clipPath: () => clipPath(media, entry.sn) })
    : undefined
const httpServer = createDeviceHttpServer({
  appliance,
  documented,
  pace: flags.real ? REAL_PACE : undefined,
  user: () => USER,
  password: () => PASSWORD
})
const ssdpDevice = (): SsdpDevice => ({
  address: ADDRESS,
  port: listeningPort(),
  name,
  model: model.name,
  serial: entry.sn
})
const icon = createCamera(entry.sn, 160)({ name: model.name, signal: true, time: 0 })
const server: Server = flags.https
  ? createSecureServer(createSelfSignedCertificate(), httpServer.listener)
  : createServer(withDescription(ssdpDevice, icon, httpServer.listener))
let ssdp: ReturnType<typeof answerSearches> | undefined
const listeningPort = (): number => (server.address() as AddressInfo).port

if (documented && !report) {
  const encoding = encodeClips(media, console.error)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      encoding.stop()
      documented.stop()
      process.exit()
    })
}

/** Does not accept connections for a while. */
function restart(): void {
  documented?.stop()
  ssdp?.close()
  server.close()
  server.closeAllConnections()
  firmware = upgrader.completeRestart() ?? firmware
  machine.restart()
  httpServer.clearSessions()
  setTimeout(() => {
    isRestarting = false
    listen()
  }, REBOOT_TIME)
}

function listen(): void {
  server.listen(Number(port), ADDRESS, () => {
    const origin = `${flags.https ? 'https' : 'http'}://${ADDRESS}:${listeningPort()}`
    console.log(`${name} (${entry.sn}): ${origin}, user ${USER}, password ${PASSWORD}`)
    if (!flags.https) ssdp = answerSearches(ssdpDevice())
  })
}

listen()
