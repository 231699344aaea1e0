// Passes arguments to ffmpeg that must not appear in the process list, through a preloaded library
// (`engine/native/hide-args`).
import { join } from 'node:path'
import type { Launch } from '../interfaces/launcher.ts'

/** Path of the library, where `make native` puts it. */
export const HIDE_ARGS_LIBRARY = join(import.meta.dirname, '../../build/headend-hide-args.so')
/** The command that installs it. */
export const INSTALL_HIDE_ARGS = 'apt-get install -y gcc libc6-dev && make native'
/** The descriptor from which the library reads its records. */
export const HIDE_ARGS_FD = 5
/** The descriptor to which ffmpeg reports its progress, and the library unacknowledged bytes. */
const REPORT_FD = 3

export interface HiddenArgs {
  /** The arguments for the process list, with placeholders for the hidden ones. */
  args: string[]
  /** Input of the library: records that each end with a zero byte. */
  records: string
}

/** An address with a port, as the library takes it. An address alone stays as it is. */
function withSeparatePort(address: string): string {
  const [, ipv6, ipv4, port] = /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(address) ?? []
  return port === undefined ? address : `${ipv6 ?? ipv4} ${port}`
}

/**
 * Replaces the hidden arguments of a launch by placeholders. Returns undefined if no argument is hidden.
 * @throws Error if an argument contains a zero byte
 */
export function encodeHiddenArgs({
  args,
  hiddenArgs = [],
  allowedHosts = {},
  verification,
  onProgress
}: Launch): HiddenArgs | undefined {
  if (hiddenArgs.length === 0) return undefined
  const records = [
    `p${process.pid}`,
    ...args.filter((arg) => hiddenArgs.includes(arg)).map((arg) => `a${arg}`),
    ...Object.entries(allowedHosts).map(([name, address]) => `n${name} ${withSeparatePort(address)}`),
    ...(verification ? [`t${verification.host}`] : []),
    ...(verification?.trusted !== undefined ? [`c${verification.trusted}`] : []),
    ...(onProgress ? [`u${REPORT_FD}`] : [])
  ]
  if (records.some((record) => record.includes('\0')))
    throw new Error('An argument contains a character that cannot be sent')
  let number = 0
  return {
    args: args.map((arg) => (hiddenArgs.includes(arg) ? `hidden:${++number}` : arg)),
    records: records.map((record) => `${record}\0`).join('')
  }
}
