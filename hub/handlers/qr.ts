// Handler that draws QR codes.
import { drawQr } from '../../contract/qr.ts'
import { encodeQrCode } from '../../web-server/qr-code.ts'
import { type Handler, handle } from '../http/handler.ts'

export const qrHandlers = (): Handler[] => [handle(drawQr, (_context, { text }) => encodeQrCode(text))]
