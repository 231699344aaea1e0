// QR codes, which the hub draws so that the console need not know how. Ours.
import { call } from './call.ts'

/** Bytes in UTF-8 of the longest text: what the largest code holds at level M. */
export const QR_BYTES_MAX = 2331

/** A code as the console puts it into an SVG. */
export interface QrCode {
  /** Modules of a side, without the light ones that have to be around a code. */
  size: number
  /** The dark modules as the `d` of a path, one unit each, from 0 to `size`. */
  path: string
}

/**
 * Draws a text, with error correction M. It may hold secrets, hence POST, which leaves it out of addresses: it is kept nowhere, and no
 * log has it.
 */
export const drawQr = call<{ text: string }, QrCode>('POST', '/qr/draw', 'session')
