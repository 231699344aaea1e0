// Starts the demo fleet. Environment: FLEET (24), HUB_LINK (127.0.0.1:8070; tls://127.0.0.1:8070 connects over TLS),
// HUB_PIN (SHA-256 of the hub's public key in base64, which verifies it over TLS), HUB_URL (http://127.0.0.1:3000; for
// the demo set-up of the first start only), DATA (./data).
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startDemoPeers } from './demo-peers.ts'
import { parseHubLink } from './instruction.ts'
import { openControlSocket } from './process/control-socket.ts'
import { Supervisor } from './process/supervisor.ts'
import { setUpOnce } from './set-up.ts'
import { encodeClips } from './streams/media.ts'

const { FLEET = '24', HUB_LINK = '127.0.0.1:8070', HUB_URL = 'http://127.0.0.1:3000', DATA = './data' } = process.env
/** Maximum number of devices. With more of them, the fleet itself would overload the machine. */
const FLEET_MAX = 5000

const log = (text: string) => console.log(`Fleet: ${text}`)

function fail(text: string): never {
  console.error(`Fleet: ${text}`)
  process.exit(1)
}

const count = Number(FLEET)
if (!Number.isInteger(count) || count < 0 || count > FLEET_MAX) fail(`FLEET must be a number from 0 to ${FLEET_MAX}.`)
if (count === 0) process.exit(0)
try {
  parseHubLink(HUB_LINK)
} catch (error) {
  fail(`HUB_LINK: ${(error as Error).message}.`)
}
process.title = 'headend-fleet'

const folder = resolve(join(DATA, 'fleet'))
mkdirSync(folder, { recursive: true })
const supervisor = new Supervisor({ count, folder, hubLink: HUB_LINK, log })
const control = await openControlSocket(folder, supervisor).catch((error: Error) => fail(`${error.message}.`))
const encoding = encodeClips(folder, log)
const controller = new AbortController()
let peers: ReturnType<typeof startDemoPeers> | undefined

async function exit(): Promise<never> {
  controller.abort()
  encoding.stop()
  control.close()
  peers?.stop()
  await supervisor.close()
  process.exit(0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, exit)
log(`${count} devices connect to ${HUB_LINK}.`)
await setUpOnce({ supervisor, folder, hubUrl: HUB_URL, log, signal: controller.signal })
if (!controller.signal.aborted) peers = startDemoPeers(folder)
