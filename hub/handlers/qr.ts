import encodeQR from 'qr'
import { drawQr } from '../../contract/qr.ts'
import { type Answer, answer } from '../http/handler.ts'

/** A row's dark modules as a path, one rectangle for those side by side. */
const rowPath = (row: readonly boolean[], y: number) =>
  Array.from(row.map(Number).join('').matchAll(/1+/g), ({ index, 0: { length } }) => {
    return `M${index} ${y}h${length}v1h-${length}z`
  }).join('')

const within = <Item>(items: readonly Item[]) => items.slice(1, -1)

export const qrAnswers = (): Answer[] => [
  answer(drawQr, (_context, { text }) => {
    // It draws no code without a border.
    const rows = within(encodeQR(text, 'raw', { ecc: 'medium', border: 1 })).map(within)
    return { size: rows.length, path: rows.map(rowPath).join('') }
  })
]
