// A port of SRT that one leg has for itself, by the program that serves the hub's shared port.
import { createSocket } from 'node:dgram'
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import { type Failure, failure } from '../process/failure.ts'
import type { PortKey } from './srt-port.ts'

/** The program listens at an address. */
export const addressOf = (host: string) =>
  host === 'localhost' || host === '::1' ? '127.0.0.1' : host === '::' ? '0.0.0.0' : host

/** What the program makes of a stream id: the name in it, without what says where to and what for. */
export function nameOf(streamId: string): string {
  const said = /^#!::(.*)$/s.exec(streamId)?.[1]
  const named = said === undefined ? streamId : (/(?:^|,)r=([^,]*)/.exec(said)?.[1] ?? '')
  return named.replace(/^(?:publish|play)\.srt\//, '').replace(/^live\//, '')
}

/** Where and for whom a port is opened, but for what is done with who comes. */
export const keyOf = (key: Omit<PortKey, 'token'>): PortKey => ({ ...key, token: 'leg' })

export const failedPort = (port: { failure(): Failure['reason'] | undefined }): Failure | undefined => {
  const reason = port.failure()
  return reason === undefined ? undefined : failure(CONNECTION.creationFailed, reason, SOURCE.addFailed)
}

/** A port nobody listened at a moment ago. Should another take it first, whoever listens says so and the next try takes the next one. */
export function freeUdpPort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    socket.once('error', reject)
    socket.bind(0, host, () => {
      const { port } = socket.address()
      socket.close(() => resolve(port))
    })
  })
}
