// Control socket of the fleet. A client sends one line of JSON, and receives one line of JSON.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isBehaviourCommand } from '../behaviour.ts'
import type { DeviceListing, Supervisor } from './supervisor.ts'

export interface ControlRequest {
  act: 'list' | 'start' | 'stop' | 'tell'
  /** A serial number, `all`, or a share such as `30%`; absent: all. */
  sn?: string
  order?: string
}

interface ControlResponse {
  /** Error message; absent after a success. */
  error?: string
  /** The devices to which the request applied. */
  devices?: DeviceListing[]
}

/** Maximum length of a socket path in bytes: 108 with the terminating zero (unix(7)). */
const PATH_MAX = 107
/** Maximum length of a request and of a response in bytes. */
const REQUEST_MAX = 64 << 10
const RESPONSE_MAX = 16 << 20

/** Path of the control socket of the fleet in `folder`. */
function controlSocketPath(folder: string): string {
  const path = resolve(folder, 'control.sock')
  if (Buffer.byteLength(path) <= PATH_MAX) return path
  return join(tmpdir(), `headend-fleet-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.sock`)
}

/** Reads one line of at most `max` characters. */
function readLine(socket: Socket, max: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
      else if (text.length > max) reject(new Error('the line is too long'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
  })
}

function handleRequest(supervisor: Supervisor, text: string): ControlResponse {
  try {
    const { act, sn = 'all', order }: ControlRequest = JSON.parse(text)
    const serials = supervisor.selectSerials(sn)
    if (act === 'start') for (const serial of serials) supervisor.start(serial)
    else if (act === 'stop') for (const serial of serials) supervisor.stop(serial)
    else if (act === 'tell') {
      if (!isBehaviourCommand(order)) return { error: `'${order}' is not a behaviour` }
      // Devices that are off are skipped, but for a single device that is an error.
      for (const serial of serials)
        if (serials.length === 1 || supervisor.isOn(serial)) supervisor.sendCommand(serial, order)
    } else if (act !== 'list') return { error: `'${act}' is not a command of the fleet` }
    return { devices: supervisor.list(serials) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/**
 * Opens the control socket. Only the user of this process can connect to it. @throws Error if a fleet is already
 * running in `folder`
 */
export async function openControlSocket(folder: string, supervisor: Supervisor): Promise<{ close(): void }> {
  const path = controlSocketPath(folder)
  mkdirSync(dirname(path), { recursive: true })
  if (await isListening(path)) throw new Error(`a fleet is already running in ${folder}`)
  rmSync(path, { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => {})
    readLine(socket, REQUEST_MAX).then(
      (text) => socket.end(`${JSON.stringify(handleRequest(supervisor, text))}\n`),
      () => socket.destroy()
    )
  })
  const mask = process.umask(0o077)
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  } finally {
    process.umask(mask)
  }
  return { close: () => void server.close() }
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/**
 * Sends a request to the fleet that runs in `folder`. @throws Error if none is running, or with the error message of
 * the response
 */
export async function sendControlRequest(folder: string, request: ControlRequest): Promise<DeviceListing[]> {
  const socket = connect(controlSocketPath(folder))
  const response = readLine(socket, RESPONSE_MAX)
  socket.write(`${JSON.stringify(request)}\n`)
  try {
    const { error, devices = [] }: ControlResponse = JSON.parse(await response)
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
