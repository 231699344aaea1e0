// A demo device that dials nobody, to be added to a hub by its address: `node fleet/at-address.ts [model] [port]`. It keeps nothing.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Appliance } from './apis/appliance.ts'
import { createHttpDoor } from './http-server.ts'
import { createMachine } from './machine.ts'
import { MODELS } from './models.ts'
import type { Entry } from './roster.ts'
import { createUpgrader } from './upgrade.ts'

const USER = 'Admin'
const PASSWORD = 'Admin'
/** Milliseconds: to restart, and for an installation. */
const REBOOT = 5000
const INSTALL = 4000

const [key = 'encodeAio', port = '8085'] = process.argv.slice(2)
const model = Object.hasOwn(MODELS, key) ? MODELS[key as keyof typeof MODELS] : undefined
if (!model || model.api === 'none') {
  const models = Object.entries(MODELS).filter(([, { api }]) => api !== 'none')
  console.error(`Models: ${models.map(([name]) => name).join(', ')}.`)
  process.exit(1)
}

const product = model.productId.toString(16).toUpperCase().padStart(3, '0')
const entry: Entry = { sn: `${model.serial}${product}210699001`, name: `${model.name} at an address`, model }
let { name } = entry
let firmware: string = model.firmware
let restarting = false
const machine = createMachine(entry, () => 'normal')
const upgrader = createUpgrader({
  model,
  behaviour: () => 'normal',
  duration: INSTALL,
  completed: () => model.api !== 'mwapi' && appliance.reboot()
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
    if (restarting) return false
    restarting = true
    setTimeout(restart, 200)
    return true
  },
  get restarting() {
    return restarting
  }
}
const door = createHttpDoor({ appliance, user: () => USER, password: () => PASSWORD })
const server = createServer(door.listener)

/** Gone for a while, as a device that restarts. */
function restart(): void {
  server.close()
  server.closeAllConnections()
  firmware = upgrader.restarted() ?? firmware
  machine.boot()
  door.signOut()
  setTimeout(() => {
    restarting = false
    listen()
  }, REBOOT)
}

function listen(): void {
  server.listen(Number(port), '127.0.0.1', () => {
    const { port: taken } = server.address() as AddressInfo
    console.log(`${name} (${entry.sn}): http://127.0.0.1:${taken}, user ${USER}, password ${PASSWORD}`)
  })
}

listen()
