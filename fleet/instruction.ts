// What the supervisor tells a device's process.
import type { Order } from './behaviour.ts'

export interface Instruction {
  act: 'start' | 'stop' | 'tell'
  sn: string
  order?: Order
}

/** `host:port`, IPv6 addresses in brackets. @throws Error for anything else */
export function parseAddress(text: string): { host: string; port: number } {
  const match = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(text)
  const port = Number(match?.[3])
  if (!match || port < 1 || port > 65_535) throw new Error(`'${text}' is no host:port`)
  return { host: match[1] ?? match[2] ?? '', port }
}
