// Datagrams that did not fit into the buffers of a program that read too slowly.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Inodes of the sockets of a process; empty when it has ended. */
function socketsOf(pid: number): Set<string> {
  try {
    const links = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
    return new Set(links.flatMap((link) => /^socket:\[(\d+)\]/.exec(link)?.[1] ?? []))
  } catch {
    return new Set()
  }
}

/** Datagrams over IPv4 that the system has dropped for a running process so far, because a receive buffer was full. */
export function lostDatagrams(pid: number): number {
  const sockets = socketsOf(pid)
  const rows = readFileSync('/proc/net/udp', 'utf8').trim().split('\n').slice(1)
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => sockets.has(fields[9] ?? ''))
    .reduce((sum, fields) => sum + Number(fields.at(-1)), 0)
}
