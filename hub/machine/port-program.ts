// Finds the program of this machine that has a port open, as far as the user of the hub may know it: the kernel shows
// the files of other users to root alone.

import { createSocket } from 'node:dgram'
import { readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import type { PortHolder } from '../../contract/call.ts'
import { listFolder, readText } from './proc-files.ts'

export type PortProtocol = 'tcp' | 'udp'

/** State of a TCP socket that accepts connections, in hexadecimal. */
const LISTENING = '0A'

/**
 * Inodes of the sockets in a table such as /proc/net/tcp that are bound to a port; of TCP those that accept
 * connections.
 */
export function parseSockets(table: string, protocol: PortProtocol, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && (protocol === 'udp' || state === LISTENING))
    .flatMap((fields) => fields[9] ?? [])
}

/** Whether a process has one of the sockets open. False if the hub may not know it. */
function hasSocket(folder: string, links: ReadonlySet<string>): boolean {
  return listFolder(join(folder, 'fd')).some((name) => {
    try {
      return links.has(readlinkSync(join(folder, 'fd', name)))
    } catch {
      return false
    }
  })
}

/**
 * The name of the program file, without arguments, which may be secret; else the name that the process has given
 * itself.
 */
function nameOf(folder: string): string {
  const [program = ''] = readText(join(folder, 'cmdline')).split('\0')
  return basename(program) || readText(join(folder, 'comm')).trim()
}

/**
 * The program that has a port open; without a name if another user runs it, undefined if no program has it.
 * @param proc where the kernel's files are; another folder in tests
 */
export function findProgram(protocol: PortProtocol, port: number, proc = '/proc'): PortHolder | undefined {
  const inodes = [protocol, `${protocol}6`].flatMap((table) =>
    parseSockets(readText(join(proc, 'net', table)), protocol, port)
  )
  if (inodes.length === 0) return undefined
  const links = new Set(inodes.map((inode) => `socket:[${inode}]`))
  const process = listFolder(proc).find((name) => /^\d+$/.test(name) && hasSocket(join(proc, name), links))
  const name = process && nameOf(join(proc, process))
  return { of: 'program', ...(name && { name }) }
}

/**
 * Whether no program has a port open. A port that the hub has no right to open counts as free: another process may have
 * it.
 * @param host address on which to listen; `::` is all addresses, of IPv6 and IPv4
 */
export function isPortFree(protocol: PortProtocol, port: number, host: string): Promise<boolean> {
  const isFree = (error: NodeJS.ErrnoException) => error.code !== 'EADDRINUSE'
  return new Promise((resolve) => {
    if (protocol === 'udp') {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
      socket.once('error', (error) => socket.close(() => resolve(isFree(error))))
      socket.bind(port, host, () => socket.close(() => resolve(true)))
      return
    }
    const server = createServer()
    server.once('error', (error) => resolve(isFree(error)))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
