// A URL or token to copy to the clipboard, or to scan from the screen as a QR code.
import { useEffect, useState } from 'react'
import type { Envelope } from '../../contract/call.ts'
import { drawQr, type QrCode } from '../../contract/qr.ts'
import { send } from '../link/send.ts'
import { codeText } from '../text/codes.ts'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { ErrorState, Skeleton } from '../ui/placeholder.tsx'
import * as UI from '../ui/text.ts'

/** A QR code of a text, drawn by the hub. */
function QrImage({ text }: { text: string }) {
  const [{ result, size = 0, path }, setCode] = useState<Partial<QrCode & Envelope>>({})
  useEffect(() => void send(drawQr, { text }).then(setCode), [text])
  if (result) return <ErrorState text={codeText(result)} />
  if (!path) return <Skeleton />
  return <QrSvg size={size} path={path} />
}

/** A QR code: dark on light in every theme, with the quiet zone of four modules around it. */
export const QrSvg = ({ size, path }: QrCode) => (
  <svg className="qr" viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={t(UI.qrCode)}>
    <path d={path} />
  </svg>
)

interface CopyLineProps {
  text: string
  /** Text on screen, if it differs from the copied text. */
  displayText?: string
  /** Shows a button that opens the QR code. */
  qrCode?: boolean
}

/** One line of text with a copy button. */
export function CopyLine({ text, displayText = text, qrCode }: CopyLineProps) {
  const [open, setOpen] = useState(false)
  const line = (
    <code className="cut" data-tip="">
      {displayText}
    </code>
  )
  return (
    <div className="row">
      {line}
      <CopyButton text={text} label={`${t(UI.copy)}: ${displayText}`} />
      {qrCode && <Button iconOnly icon="qr" label={t(UI.qrCode)} onClick={() => setOpen(true)} />}
      {open && (
        <Dialog title={t(UI.qrCode)} cancelLabel={t(UI.close)} onClose={() => setOpen(false)}>
          <QrImage key={text} text={text} />
          {line}
        </Dialog>
      )}
    </div>
  )
}
