// The fleet's control socket: one line of JSON there, one back.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isOrder } from './behaviour.ts'
import type { Listed, Supervisor } from './supervisor.ts'

export interface ControlRequest {
  act: 'list' | 'start' | 'stop' | 'tell'
  /** A serial, `all`, or a share such as `30%`; nothing for a list of all. */
  sn?: string
  order?: string
}

export interface ControlAnswer {
  /** What was wrong; absent when nothing was. */
  error?: string
  /** Those that were meant. */
  devices?: Listed[]
}

/** Bytes that the address of a socket may have: 108 with its end, by the kernel. */
const ADDRESS_MAX = 107

/** Where the control socket of the fleet in `folder` is. */
export function socketOf(folder: string): string {
  const path = resolve(folder, 'control.sock')
  if (Buffer.byteLength(path) <= ADDRESS_MAX) return path
  return join(tmpdir(), `headend-fleet-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.sock`)
}

/** Reads one line, of at most 64 KiB. */
function line(socket: Socket, max = 65_536): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
      else if (text.length > max) reject(new Error('a line that is too long'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
  })
}

function carryOut(supervisor: Supervisor, text: string): ControlAnswer {
  try {
    const { act, sn = 'all', order }: ControlRequest = JSON.parse(text)
    const meant = supervisor.meant(sn)
    if (act === 'start') meant.forEach(supervisor.start)
    else if (act === 'stop') meant.forEach(supervisor.stop)
    else if (act === 'tell') {
      if (!isOrder(order)) return { error: `'${order}' is nothing a device can be told` }
      // Of many those that are off hear nothing; of one that is said.
      for (const one of meant) if (meant.length === 1 || supervisor.isOn(one)) supervisor.tell(one, order)
    } else if (act !== 'list') return { error: `'${act}' is nothing the fleet can do` }
    return { devices: supervisor.list(meant) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Is the door to the fleet. Only the user it runs as can open it. */
export async function openControl(folder: string, supervisor: Supervisor): Promise<{ close(): void }> {
  const path = socketOf(folder)
  mkdirSync(dirname(path), { recursive: true })
  if (await answers(path)) throw new Error(`a fleet is running in ${folder} already`)
  rmSync(path, { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => {})
    line(socket).then(
      (text) => socket.end(`${JSON.stringify(carryOut(supervisor, text))}\n`),
      () => socket.destroy()
    )
  })
  const mask = process.umask(0o077)
  try {
    await new Promise<void>((done, failed) => server.once('error', failed).listen(path, done))
  } finally {
    process.umask(mask)
  }
  return { close: () => void server.close() }
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path, () => {
      socket.destroy()
      done(true)
    })
    socket.on('error', () => done(false))
  })
}

/** Asks the fleet that runs in `folder`. @throws Error when none does, or it says that something is wrong */
export async function askFleet(folder: string, request: ControlRequest): Promise<Listed[]> {
  const socket = connect(socketOf(folder))
  const answer = line(socket, 16 << 20)
  socket.write(`${JSON.stringify(request)}\n`)
  try {
    const { error, devices = [] }: ControlAnswer = JSON.parse(await answer)
    if (error !== undefined) throw new Error(error)
    return devices
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') throw new Error(`no fleet is running in ${folder}`)
    throw error
  } finally {
    socket.destroy()
  }
}
