// Parses stream orders of the hub, and passes their secrets to ffmpeg.
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlayOrder, PushOrder } from '../../contract/device/link.ts'
import {
  BUFFER_MAX,
  BUFFER_MIN,
  LATENCY_MAX,
  LATENCY_MIN,
  PASSPHRASE_MAX,
  PASSPHRASE_MIN,
  PORT_MAX
} from '../../contract/limits.ts'
import { streamId } from '../../contract/rules/rules.ts'
import { RTMP, SRT } from '../../contract/stream/protocols.ts'

const isInteger = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max

/** Parses the fields that both orders have. */
function parseCommonFields(body: Record<string, unknown>): PlayOrder | undefined {
  const { port, passphrase = '', latency = LATENCY_MIN, 'stream-id': id = '' } = body
  if (!isInteger(port, 1, PORT_MAX) || !isInteger(latency, LATENCY_MIN, LATENCY_MAX)) return undefined
  if (typeof id !== 'string' || streamId(id)) return undefined
  if (typeof passphrase !== 'string' || !/^[\x21-\x7e]*$/.test(passphrase)) return undefined
  if (passphrase !== '' && (passphrase.length < PASSPHRASE_MIN || passphrase.length > PASSPHRASE_MAX)) return undefined
  return { port, passphrase, latency, 'stream-id': id }
}

/** Parses an order to push a stream. @returns undefined if it is invalid */
export function parsePushOrder(body: Record<string, unknown>): PushOrder | undefined {
  const common = parseCommonFields(body)
  const { 'stream-index': index = 0, protocol } = body
  if (!common || (index !== 0 && index !== 1)) return undefined
  if (protocol === undefined || protocol === SRT) return { ...common, 'stream-index': index }
  // The stream key becomes a part of a URL.
  const isValid = protocol === RTMP && /^[\w-]{1,128}$/.test(common['stream-id'])
  return isValid ? { ...common, 'stream-index': index, protocol } : undefined
}

/** Parses an order to play a stream. @returns undefined if it is invalid */
export function parsePlayOrder(body: Record<string, unknown>): PlayOrder | undefined {
  const common = parseCommonFields(body)
  const { 'buffer-ms': buffer } = body
  if (!common || buffer === undefined) return common
  return isInteger(buffer, BUFFER_MIN, BUFFER_MAX) ? { ...common, 'buffer-ms': buffer } : undefined
}

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** RTMP URL without the stream key. @param host as in `srtUrl` */
export const rtmpUrl = (host: string, port: number): string => `rtmp://${hostInUrl(host)}:${port}/live`

/** SRT URL without secrets. @param host host name or address, an IPv6 address without brackets */
export const srtUrl = (host: string, port: number): string => `srt://${hostInUrl(host)}:${port}`

/**
 * Writes a text to a file, deletes the file, and returns a descriptor to read it. For secrets of a child process,
 * because its arguments are visible to every user of the machine.
 */
export function openUnlinkedFile(text: string): number {
  const path = join(tmpdir(), `headend-device-${randomBytes(12).toString('hex')}`)
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    return openSync(path, 'r')
  } finally {
    closeSync(descriptor)
    rmSync(path)
  }
}
