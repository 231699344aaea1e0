// What the hub orders a device to do with streams, read; and where the secrets of an order are put for ffmpeg.
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlayOrder, PushOrder } from '../contract/device/link.ts'
import {
  BUFFER_MAX,
  BUFFER_MIN,
  LATENCY_MAX,
  LATENCY_MIN,
  PASSPHRASE_MAX,
  PASSPHRASE_MIN,
  PORT_MAX
} from '../contract/limits.ts'
import { streamId } from '../contract/rules/rules.ts'

const whole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most

/** What both orders say. */
function readCall(body: Record<string, unknown>): PlayOrder | undefined {
  const { port, passphrase = '', latency = LATENCY_MIN, 'stream-id': id = '' } = body
  if (!whole(port, 1, PORT_MAX) || !whole(latency, LATENCY_MIN, LATENCY_MAX)) return undefined
  if (typeof id !== 'string' || streamId(id)) return undefined
  if (typeof passphrase !== 'string' || !/^[\x21-\x7e]*$/.test(passphrase)) return undefined
  if (passphrase !== '' && (passphrase.length < PASSPHRASE_MIN || passphrase.length > PASSPHRASE_MAX)) return undefined
  return { port, passphrase, latency, 'stream-id': id }
}

/** Reads an order to send. @returns undefined for one that cannot be carried out */
export function readOrder(body: Record<string, unknown>): PushOrder | undefined {
  const call = readCall(body)
  const { 'stream-index': index = 0 } = body
  return call && (index === 0 || index === 1) ? { ...call, 'stream-index': index } : undefined
}

/** Reads an order to play. @returns undefined for one that cannot be carried out */
export function readPlayOrder(body: Record<string, unknown>): PlayOrder | undefined {
  const call = readCall(body)
  const { 'buffer-ms': buffer } = body
  if (!call || buffer === undefined) return call
  return whole(buffer, BUFFER_MIN, BUFFER_MAX) ? { ...call, 'buffer-ms': buffer } : undefined
}

/** An SRT URL without what is secret in it. @param host an IPv6 address as it is */
export const srtUrl = (host: string, port: number): string => `srt://${host.includes(':') ? `[${host}]` : host}:${port}`

/** A file descriptor of a file with this text that no longer has a name: a passphrase among arguments could be read by every user. */
export function nameless(text: string): number {
  const path = join(tmpdir(), `headend-device-${randomBytes(12).toString('hex')}`)
  const writing = openSync(path, 'wx', 0o600)
  try {
    writeSync(writing, text)
    return openSync(path, 'r')
  } finally {
    closeSync(writing)
    rmSync(path)
  }
}
