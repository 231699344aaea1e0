// Starts the demo fleet. Environment: FLEET (24), HUB_LINK (127.0.0.1:8070), HUB_URL (http://127.0.0.1:3000; only for the demo
// set-up of the first start), DATA (./data).
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openControl } from './control-socket.ts'
import { parseAddress } from './instruction.ts'
import { encodeClips } from './media.ts'
import { setUpOnce } from './set-up.ts'
import { createSupervisor } from './supervisor.ts'

const { FLEET = '24', HUB_LINK = '127.0.0.1:8070', HUB_URL = 'http://127.0.0.1:3000', DATA = './data' } = process.env
/** Devices at most: beyond it the demo says more about the machine than about the hub. */
const FLEET_MAX = 5000

const log = (text: string) => console.log(`Fleet: ${text}`)

function fail(text: string): never {
  console.error(`Fleet: ${text}`)
  process.exit(1)
}

const count = Number(FLEET)
if (!Number.isInteger(count) || count < 0 || count > FLEET_MAX) fail(`FLEET is a number from 0 to ${FLEET_MAX}.`)
if (count === 0) process.exit(0)
try {
  parseAddress(HUB_LINK)
} catch (error) {
  fail(`HUB_LINK: ${(error as Error).message}.`)
}
process.title = 'headend-fleet'

const folder = resolve(join(DATA, 'fleet'))
mkdirSync(folder, { recursive: true })
const supervisor = createSupervisor({ count, folder, hubLink: HUB_LINK, log })
const control = await openControl(folder, supervisor).catch((error: Error) => fail(`${error.message}.`))
const encoding = encodeClips(folder, log)
const ended = new AbortController()

async function end(): Promise<never> {
  ended.abort()
  encoding.stop()
  control.close()
  await supervisor.close()
  process.exit(0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
log(`${count} devices dial ${HUB_LINK}.`)
await setUpOnce({ supervisor, folder, hubUrl: HUB_URL, log, signal: ended.signal })
