// The ports of router destinations, with the real runtime: a receiver remembers the port of its destination.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type NdiMachines, startNdiMachines } from '../../../kit/ndi/machines.ts'
import { missingForNdi, NDI_RUNTIME_FOLDER } from '../../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../../kit/runner/suite.ts'
import { until } from '../../../kit/until.ts'

const test = suiteRequiring('router ports', missingForNdi())
const PROGRAM = resolve(import.meta.dirname, '../../../../build/headend-ndi')

let machines: NdiMachines
test.before(async () => {
  machines = await startNdiMachines()
})
test.after(() => machines?.stop())

/**
 * Runs a router process with these commands until it has announced `count` destinations. @returns their ports by number
 */
async function portsOf(
  count: number,
  commands: readonly (readonly (string | number)[])[]
): Promise<Map<number, number>> {
  const [command = '', ...args] = [...machines.hub.wrapper, PROGRAM, 'route', join(NDI_RUNTIME_FOLDER, 'libndi.so.5')]
  const child: ChildProcess = spawn(command, [...args, '', ''], { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] })
  const ports = new Map<number, number>()
  createInterface({ input: child.stdio[3] as NodeJS.ReadableStream }).on('line', (line) => {
    const { destination, port } = JSON.parse(line)
    if (port !== undefined) ports.set(destination, port)
  })
  child.stdin?.write(commands.map((fields) => `${fields.join('\t')}\n`).join(''))
  try {
    await until(() => ports.size === count, 'the destinations have ports')
    return ports
  } finally {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
}

const announce = (destination: number) => ['announce', destination, `Studio ${destination}`, '']

test('destinations get the first free ports', async () => {
  assert.deepEqual(
    [...(await portsOf(2, [announce(1), announce(2)]))],
    [
      [1, 5961],
      [2, 5962]
    ]
  )
})

test('no destination of a new process gets a port that another destination had', async () => {
  const reserved = [
    ['reserve', 2, 5961],
    ['reserve', 0, 5962],
    ['reserve', 1, 5963],
    ['reserve', 2, 5964],
    ['reserve', 1, 5965]
  ]
  // The runtime chooses one port after the other.
  assert.deepEqual(
    [...(await portsOf(3, [...reserved, announce(1), announce(2), announce(3)]))],
    [
      [1, 5963],
      [2, 5964],
      [3, 5966]
    ]
  )
})

test.run()
