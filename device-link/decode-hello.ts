// The header with a hello: base64url of UTF-8 JSON.
import { HELLO_MAX } from '../contract/device/link.ts'

/** @returns undefined if the value is missing, too long, or not such text */
export function decodeHello(header: string | undefined): unknown {
  if (header === undefined || header.length > HELLO_MAX || !/^[\w-]+={0,2}$/.test(header)) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64url')))
  } catch {
    return undefined
  }
}
