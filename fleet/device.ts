// The process of one device, or of the light ones of a large fleet: `node fleet/device.ts <sn>`, started by the supervisor, which
// tells of the others that are to run in it.
// Environment: FLEET, HUB_LINK, FLEET_FOLDER.
import { flushCompileCache } from 'node:module'
import { isOrder } from './behaviour.ts'
import { seedOf } from './identity.ts'
import { type Instruction, parseAddress } from './instruction.ts'
import { roster } from './roster.ts'
import { createDevice, type SimulatedDevice } from './simulated-device.ts'

const { FLEET = '24', HUB_LINK = '127.0.0.1:8070', FLEET_FOLDER: folder = './data/fleet' } = process.env
const [own = ''] = process.argv.slice(2)
// Shown by ps, so that one can be found and ended by hand.
process.title = `headend-device ${own}`

const hub = parseAddress(HUB_LINK)
const seed = seedOf(folder)
const entries = new Map(roster(Number(FLEET)).map((entry) => [entry.sn, entry]))
const running = new Map<string, SimulatedDevice>()

function start(sn: string): void {
  const entry = entries.get(sn)
  if (!entry) return
  let device = running.get(sn)
  if (!device) {
    device = createDevice({ entry, folder, seed, hub, report: (report) => process.send?.(report) })
    running.set(sn, device)
  }
  device.start()
}

process.on('message', ({ act, sn, order }: Instruction) => {
  if (act === 'start') return start(sn)
  const device = running.get(sn)
  if (act === 'tell' && isOrder(order)) return device?.tell(order)
  if (act !== 'stop') return
  device?.stop()
  running.delete(sn)
  if (running.size === 0) process.exit(0)
})
// A device does not outlive its supervisor, however that ended.
process.on('disconnect', () => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))

start(own)
flushCompileCache()
