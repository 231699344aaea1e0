// What the transport modes put on the wire, with the real NDI runtime. The ports are those that the vendor documents
// ("NDI Related Network Ports"): 5960 and up for reliable UDP, 5961 and up for single TCP, 6960 and up for other
// receivers, 7960 and up for other senders.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  NDI_AUTO,
  NDI_MULTI_TCP,
  NDI_MULTICAST,
  NDI_RUDP,
  NDI_TCP,
  NDI_UDP,
  type NdiTransportFields
} from '../../../contract/ndi/transport.ts'
import type { NdiProcessOptions } from '../../../engine/interfaces/ndi.ts'
import { NdiConfig } from '../../../engine/ndi/config.ts'
import { type NdiMachine, type NdiMachines, startNdiMachines } from '../../kit/ndi/machines.ts'
import { startReceiver, startSource } from '../../kit/ndi/programs.ts'
import { missingForNdi } from '../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('NDI transport', missingForNdi())

/** Bytes of a flow that carries the pattern. */
const BYTES_MIN = 200_000

let machines: NdiMachines
let folder: string
let config: NdiConfig
test.before(async () => {
  machines = await startNdiMachines()
  folder = mkdtempSync(join(tmpdir(), 'headend-account-'))
  config = new NdiConfig({ resolveHost: async (host) => host, accountFolder: folder })
})
test.after(async () => {
  await machines.stop()
  rmSync(folder, { recursive: true })
})

/** A machine whose programs have the configuration of a process of the hub. */
function withConfig(machine: NdiMachine, options: NdiProcessOptions): NdiMachine & { close(): void } {
  const { environment, onExit } = config.open(options)
  const variables = Object.entries(environment).map((entry) => entry.join('='))
  return { ...machine, wrapper: [...machine.wrapper, ...variables], close: onExit }
}

interface Flow {
  isUdp: boolean
  from: number
  toHost: string
  to: number
  ttl: number
  bytes: number
}

/** The flow with the most bytes in the output of tcpdump; undefined while none has carried the pattern. */
function largestFlow(text: string): Flow | undefined {
  const flows = new Map<string, Flow>()
  const packet = /ttl (\d+),[^\n]*\n\s+[\d.]+\.(\d+) > ([\d.]+)\.(\d+): (UDP, length|tcp) (\d+)/g
  for (const [, ttl, from, toHost = '', to, protocol = '', length] of text.matchAll(packet)) {
    const key = `${protocol} ${from} ${toHost} ${to}`
    const flow = flows.get(key) ?? {
      ...{ isUdp: protocol.startsWith('UDP'), from: Number(from), toHost, to: Number(to), ttl: Number(ttl), bytes: 0 }
    }
    flow.bytes += Number(length)
    flows.set(key, flow)
  }
  const [largest] = [...flows.values()].sort((a, b) => b.bytes - a.bytes)
  return largest && largest.bytes > BYTES_MIN ? largest : undefined
}

/** The flow from the sender with the most bytes. */
async function captureLargestFlow({ hub, src }: NdiMachines): Promise<Flow> {
  const [command = '', ...args] = [...hub.wrapper, 'tcpdump', '-i', 'v0', '-n', '-q', '-v', '-l', 'src', src.address]
  const capture = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  capture.stdout.on('data', (chunk) => (text += chunk))
  const largest = await until(
    () => largestFlow(text),
    () => `a flow of ${BYTES_MIN} bytes: ${text.slice(0, 1000)}`
  )
  const exit = once(capture, 'exit')
  capture.kill()
  await exit
  return largest
}

function modeOf({ isUdp, from, toHost, to }: Flow): number {
  if (!isUdp) return from >= 7960 ? NDI_MULTI_TCP : NDI_TCP
  return toHost.startsWith('239.') ? NDI_MULTICAST : to >= 6960 ? NDI_UDP : NDI_RUDP
}

let observations = 0

/** Sends to a receiver. @returns the largest flow on the wire */
async function observe(sent: NdiTransportFields, received: NdiTransportFields = {}): Promise<Flow> {
  // A receiver that finds the name of an ended source connects to its old port.
  const name = `Camera ${++observations}`
  const sender = withConfig(machines.src, { role: 'send', name, transport: sent })
  const receiver = withConfig(machines.hub, { role: 'receive', name: `SRC (${name})`, transport: received })
  const source = await startSource(machines, sender, name, { id: 1 })
  const sink = startReceiver(machines, receiver, source.name)
  try {
    await sink.receiving(1)
    return await captureLargestFlow(machines)
  } finally {
    await Promise.all([source.end(), sink.end()])
    sender.close()
    receiver.close()
  }
}

test('each transport mode is seen on the wire', async () => {
  for (const mode of [NDI_UDP, NDI_MULTICAST, NDI_RUDP, NDI_MULTI_TCP, NDI_TCP])
    assert.equal(modeOf(await observe({ 'transport-mode': mode })), mode, `mode ${mode}`)
  assert.equal(modeOf(await observe({ 'transport-mode': NDI_AUTO })), NDI_RUDP)
})

test('multicast uses the addresses and the time to live of the output', async () => {
  const multicast = { 'mcast-ip': '239.7.0.0', 'mcast-sub-mask': '255.255.0.0', 'mcast-time-to-live': 5 }
  const { toHost, ttl } = await observe({ 'transport-mode': NDI_MULTICAST, ...multicast })
  assert.match(toHost, /^239\.7\./)
  assert.equal(ttl, 5)
})

test('a receiver chooses a transport too, and without a common one there is a single TCP connection', async () => {
  assert.equal(modeOf(await observe({}, { 'transport-mode': NDI_UDP })), NDI_UDP)
  assert.equal(modeOf(await observe({ 'transport-mode': NDI_UDP }, { 'transport-mode': NDI_RUDP })), NDI_TCP)
})

test.run()
