// Process of one device, or of several devices of a large fleet: `node fleet/process/device.ts <sn>`. Started by the
// supervisor, which sends instructions for the other devices of the process. Environment: FLEET, HUB_LINK, HUB_PIN,
// FLEET_FOLDER.
import { flushCompileCache } from 'node:module'
import { isBehaviourCommand } from '../behaviour.ts'
import { loadOrCreateSeed } from '../identity.ts'
import { type Instruction, parseHubLink } from '../instruction.ts'
import { createRoster } from '../roster.ts'
import { createSimulatedDevice, type SimulatedDevice } from '../simulated-device.ts'

const { FLEET = '24', HUB_LINK = '127.0.0.1:8070', FLEET_FOLDER: folder = './data/fleet', HUB_PIN } = process.env
const [firstSerial = ''] = process.argv.slice(2)
// Shown by ps, so that the process of a device can be found and killed.
process.title = `headend-device ${firstSerial}`

const hub = parseHubLink(HUB_LINK, HUB_PIN)
const seed = loadOrCreateSeed(folder)
const entries = new Map(createRoster(Number(FLEET)).map((entry) => [entry.sn, entry]))
const running = new Map<string, SimulatedDevice>()

function start(sn: string): void {
  const entry = entries.get(sn)
  if (!entry) return
  let device = running.get(sn)
  if (!device) {
    device = createSimulatedDevice({
      entry,
      folder,
      seed,
      hub,
      report: (report) => process.send?.(report),
      log: (text) => console.log(text)
    })
    running.set(sn, device)
  }
  device.start()
}

process.on('message', ({ act, sn, order }: Instruction) => {
  if (act === 'start') return start(sn)
  const device = running.get(sn)
  if (act === 'tell' && isBehaviourCommand(order)) return device?.applyCommand(order)
  if (act !== 'stop') return
  device?.stop()
  running.delete(sn)
  if (running.size === 0) process.exit(0)
})
// The process ends with its supervisor, even if that is killed.
process.on('disconnect', () => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))

start(firstSerial)
flushCompileCache()
