// QR codes. The hub draws them, which keeps the encoder out of the console's bundle.
import { declareCall } from './call.ts'

export type { QrCode } from './qr.schema.ts'

/** Longest text in UTF-8 bytes: capacity of a version 40 code at error correction level M. */
export const QR_BYTES_MAX = 2331

export const drawQr = declareCall('POST /qr/draw', 'session')
