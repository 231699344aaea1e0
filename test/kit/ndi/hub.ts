// A hub on one of the NDI machines, which this process reaches although it is outside the machine's network: a program
// on the machine connects a socket in the file system, which all namespaces share, with the hub's port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { type HubProcess, startHubProcess } from '../hub/hub-process.ts'
import type { NdiMachine, NdiMachines } from './machines.ts'

export interface Forward {
  /** Port on the loopback interface of this process that leads to the machine's port. */
  port: number
  close(): Promise<void>
}

/**
 * Runs on the machine: connects each client of the socket at argv[1] with the port argv[2] of the loopback interface.
 */
const FORWARD_PROGRAM = `
const { connect, createServer } = require('node:net')
const [, path, port] = process.argv
createServer((client) => {
  const target = connect(Number(port), '127.0.0.1')
  for (const [one, other] of [[client, target], [target, client]]) one.pipe(other).on('error', () => one.destroy())
}).listen(path, () => console.log('listening'))`

/** Makes a TCP port of a machine's loopback interface reachable for this process. */
export async function forwardPort({ folder }: NdiMachines, machine: NdiMachine, port: number): Promise<Forward> {
  const path = join(folder, `${machine.host}-${port}.sock`)
  const [command = '', ...args] = [...machine.wrapper, process.execPath, '-e', FORWARD_PROGRAM, path, String(port)]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const server = createServer((client) => {
    const target = connect(path)
    client.pipe(target).on('error', () => client.destroy())
    target.pipe(client).on('error', () => target.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => closeForward(server, child) }
}

async function closeForward(server: Server, child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
  server.close()
}

export interface NdiHub {
  hub: HubProcess
  /** Kills the hub, and closes the connection to it. */
  kill(): Promise<void>
}

/**
 * Starts a hub on a machine, and signs in. `program` is the hub alone, or the supervisor, which also starts the engine.
 */
export async function startNdiHub(
  machines: NdiMachines,
  machine: NdiMachine,
  data: string,
  program: 'hub/main.ts' | 'supervisor/main.ts' = 'supervisor/main.ts'
): Promise<NdiHub> {
  let forward: Forward | undefined
  const reach = async (url: string) => {
    forward = await forwardPort(machines, machine, Number(new URL(url).port))
    return `http://127.0.0.1:${forward.port}`
  }
  const hub = await startHubProcess(data, { web: 0, link: 0 }, program, machine.wrapper, reach)
  return {
    hub,
    async kill() {
      await hub.kill()
      await forward?.close()
    }
  }
}
