// An SRT port for a single leg, served by the same program as the shared port.
import { createSocket } from 'node:dgram'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { refusedStreamId } from '../access/refused-callers.ts'
import type { Failure } from '../interfaces/errors.ts'
import { failure } from '../process/failure.ts'
import type { SrtPortKey } from './port-key.ts'
import type { SrtRefusal } from './srt-port.ts'

/** The address to listen at, because the program accepts no names. */
export const listenAddress = (host: string) => (host === 'localhost' ? '127.0.0.1' : host)

/**
 * The resource name in a stream ID, without the prefixes for direction and application. `headend-srt` extracts the
 * same.
 */
export function streamIdName(streamId: string): string {
  const fields = /^#!::(.*)$/s.exec(streamId)?.[1]
  const name = fields === undefined ? streamId : (/(?:^|,)r=([^,]*)/.exec(fields)?.[1] ?? '')
  return name.replace(/^(?:publish|play)\.srt\//, '').replace(/^live\//, '')
}

/** The only key of a dedicated port. */
export const dedicatedPortKey = (key: Omit<SrtPortKey, 'token'>): SrtPortKey => ({ ...key, token: 'leg' })

/**
 * Why a dedicated port has refused a caller; undefined for a cause that does not say that the caller is wrong.
 * @param isIssued whether the hash of a stream ID is that of a stream key of this hub
 */
export function refusalReason(
  { cause, name = '', keyHash }: SrtRefusal,
  isIssued: (hash: string) => boolean
): Reason | undefined {
  if (cause === 'passphrase') return 'wrong-passphrase'
  if (cause === 'forbidden') return 'from-elsewhere'
  return cause === 'key' ? refusedStreamId(name, keyHash !== undefined && isIssued(keyHash)) : undefined
}

/** Why a port is not open, as the failure of a leg. */
export function portFailure(port: { failure(): Failure['reason'] | undefined }): Failure | undefined {
  const reason = port.failure()
  return reason === undefined ? undefined : failure(CONNECTION_STATE.creationFailed, reason, SOURCE_STATE.addFailed)
}

/**
 * Returns a free UDP port. Another process can take it before it is used; opening it then fails, and the next attempt
 * gets another port.
 */
export function findFreeUdpPort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', reject)
    socket.bind(0, host, () => {
      const { port } = socket.address()
      socket.close(() => resolve(port))
    })
  })
}
