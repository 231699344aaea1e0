// Unix sockets that `headend-srt` connects to instead of a relay.
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { RelayAddress } from '../../../engine/interfaces/relay.ts'
import { createPrivateFolder, removeFolder } from '../../../engine/process/private-files.ts'

export interface LinkedSockets {
  /** An address for one connection. The callback receives its socket, after the greeting. */
  address(onConnect: (socket: Socket) => void): RelayAddress
  close(): void
}

export function openLinkedSockets(): LinkedSockets {
  const folder = createPrivateFolder('test')
  const path = join(folder, 'media')
  const waiting = new Map<string, (socket: Socket) => void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('readable', () => {
      const head: Buffer = socket.read()
      const end = head?.indexOf(10) ?? -1
      if (end < 0) return void socket.destroy()
      if (end + 1 < head.length) socket.unshift(head.subarray(end + 1))
      waiting.get(head.toString('latin1', 0, end))?.(socket)
    })
  }).listen(path)
  return {
    address(onConnect) {
      const greeting = `connection ${waiting.size + 1}`
      waiting.set(greeting, onConnect)
      return { path, greeting }
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      removeFolder(folder)
    }
  }
}
