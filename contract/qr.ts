// QR codes. The hub draws them, which keeps the encoder out of the console's bundle.
import { declareCall } from './call.ts'

/** Longest text in UTF-8 bytes: capacity of a version 40 code at error correction level M. */
export const QR_BYTES_MAX = 2331

/** A QR code for an SVG. */
export interface QrCode {
  /** Modules per side, without the quiet zone. */
  size: number
  /** The dark modules as the `d` attribute of a path; one unit per module, from 0 to `size`. */
  path: string
}

/**
 * Draws a text with error correction level M. The text can contain secrets, therefore the method is POST: the text is not part of a URL, and
 * the hub neither stores nor logs it.
 */
export const drawQr = declareCall<{ text: string }, QrCode>('POST', '/qr/draw', 'session')
