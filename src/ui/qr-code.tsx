import { t } from '../text/language.ts'
import { qrCode } from './qr-modules.ts'
import * as TEXT from './text.ts'

/** A text for the camera of a phone: dark on light, whatever the theme. Nothing where no code holds it. */
export function QrCode({ text }: { text: string }) {
  const code = qrCode(text)
  if (!code) return null
  const side = code.size + 8
  return (
    <svg className="qr" viewBox={`-4 -4 ${side} ${side}`} role="img" aria-label={t(TEXT.qr)}>
      <path d={code.path} />
    </svg>
  )
}
