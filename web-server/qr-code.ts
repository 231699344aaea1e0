// Draws QR codes as SVG paths.
import encodeQR from 'qr'
import type { QrCode } from '../contract/qr.ts'

/** SVG path of the dark modules in one row, with one rectangle for each run of adjacent modules. */
const rowPath = (row: readonly boolean[], y: number) =>
  Array.from(row.map(Number).join('').matchAll(/1+/g), ({ index, 0: { length } }) => {
    return `M${index} ${y}h${length}v1h-${length}z`
  }).join('')

/** The items without the first and the last one. */
const withoutBorder = <Item>(items: readonly Item[]) => items.slice(1, -1)

/** @throws Error if the text is too long */
export function encodeQrCode(text: string): QrCode {
  // The library cannot draw a code without a border, so the border is removed here.
  const rows = withoutBorder(encodeQR(text, 'raw', { ecc: 'medium', border: 1 })).map(withoutBorder)
  return { size: rows.length, path: rows.map(rowPath).join('') }
}
