// Rules for the clock of the machine.
import { hostName } from './network.ts'
import type { Fault } from './rules.ts'

/** First time server: empty, or a name or address. */
export function firstTimeServer(value: string): Fault | undefined {
  return value === '' ? undefined : hostName(value)
}

/** Second time server: empty, or another one than the first, without which it is not valid. */
export function secondTimeServer(value: string, { server1 }: { server1: string }): Fault | undefined {
  if (value === '') return undefined
  const fault = hostName(value)
  if (fault) return fault
  if (server1 === '') return { name: 'invalid' }
  return value.toLowerCase() === server1.toLowerCase() ? { name: 'same' } : undefined
}
