// Asks whether a host answers, with the ping program of the system: its packets need a right that the hub does not
// have.
import { execFile } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { INVALID_ARG, READ_ONLY } from '../../../contract/codes.ts'
import { ipv6Groups, isMulticastIpv6 } from '../../../contract/ipv6.ts'
import type { PingReply } from '../../../contract/machine/ping.ts'
import { isForbiddenServer } from '../../../contract/stream/address-policy.ts'
import { MachineError } from '../machine-error.ts'

/** Packets, seconds between two of them, and seconds for the last answer. */
const COUNT = 4
const INTERVAL = 1
const ANSWER_TIME = 2
/** Milliseconds after which the program is ended, and bytes of its output. */
const TIMEOUT = 15_000
const OUTPUT_MAX = 1 << 14

/** The summary that ping prints; undefined without one. */
export function parsePing(output: string): Omit<PingReply, 'address'> | undefined {
  const [, sent, received] = /(\d+) packets transmitted, (\d+) received/.exec(output) ?? []
  if (sent === undefined) return undefined
  const [, min, average, max] = /= ([\d.]+)\/([\d.]+)\/([\d.]+)\/[\d.]+ ms/.exec(output) ?? []
  const times = min !== undefined && { 'min-ms': Number(min), 'average-ms': Number(average), 'max-ms': Number(max) }
  return { sent: Number(sent), received: Number(received), ...times }
}

/** Whether the hub pings no such address: groups, all machines, none, and those that no server may have. */
export function isForbiddenTarget(address: string): boolean {
  const groups = ipv6Groups(address)
  const isGroup = groups
    ? isMulticastIpv6(groups) || groups.every((group) => group === 0)
    : !/^([1-9]|[1-9]\d|1\d\d|2[01]\d|22[0-3])\./.test(address)
  return isGroup || isForbiddenServer(address)
}

/** @param address an IP address, never a name or an option */
function runPing(address: string, program: string): Promise<Omit<PingReply, 'address'>> {
  const args = ['-n', '-q', '-c', `${COUNT}`, '-i', `${INTERVAL}`, '-W', `${ANSWER_TIME}`, '--', address]
  const options = { timeout: TIMEOUT, maxBuffer: OUTPUT_MAX, env: { ...process.env, LC_ALL: 'C' } }
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const summary = parsePing(stdout)
      if (summary) return resolve(summary)
      if (error?.code === 'ENOENT') return reject(new MachineError(READ_ONLY, { refusal: 'ping-missing' }))
      const isRefused = /not permitted|denied|lacking privilege/i.test(stderr)
      if (isRefused) return reject(new MachineError(READ_ONLY, { refusal: 'ping-refused' }))
      // Nothing was sent: there is no route.
      resolve({ sent: 0, received: 0 })
    })
  })
}

/**
 * @param target a name or an IP address
 * @throws MachineError 7 for a target that is unknown or forbidden; 26 if the machine cannot do it
 */
export async function ping(target: string, program = 'ping'): Promise<PingReply> {
  const { address } = await lookup(target).catch(() => {
    throw new MachineError(INVALID_ARG, { refusal: 'ping-name' })
  })
  if (isForbiddenTarget(address)) throw new MachineError(INVALID_ARG, { refusal: 'ping-target' })
  return { address, ...(await runPing(address, program)) }
}
