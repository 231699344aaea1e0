// Lines of code for others: to be copied, or taken off the screen by a phone.
import { useEffect, useState } from 'react'
import type { Envelope } from '../../contract/call.ts'
import { drawQr, type QrCode } from '../../contract/qr.ts'
import { send } from '../link/send.ts'
import { codeText } from '../text/codes.ts'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Failed, Skeleton } from '../ui/placeholder.tsx'
import * as UI from '../ui/text.ts'

/** A text for the camera of a phone, drawn by the hub: dark on light, whatever the theme, with the four light modules around it. */
function Scanned({ text }: { text: string }) {
  const [{ result, size = 0, path }, setCode] = useState<Partial<QrCode & Envelope>>({})
  useEffect(() => void send(drawQr, { text }).then(setCode), [text])
  if (result) return <Failed text={codeText(result)} />
  if (!path) return <Skeleton />
  return (
    <svg className="qr" viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={t(UI.qr)}>
      <path d={path} />
    </svg>
  )
}

interface CopiedProps {
  text: string
  /** What is seen of it, where not all is. */
  shown?: string
  /** A phone may take it from here, as a QR code. */
  scanned?: boolean
}

/** A line of code that is there to be copied. */
export function Copied({ text, shown = text, scanned }: CopiedProps) {
  const [open, setOpen] = useState(false)
  const line = (
    <code className="cut" data-tip="">
      {shown}
    </code>
  )
  return (
    <div className="row">
      {line}
      <CopyButton text={text} />
      {scanned && <Button bare icon="qr" label={t(UI.qr)} onClick={() => setOpen(true)} />}
      {open && (
        <Dialog title={t(UI.qr)} cancel={t(UI.close)} onClose={() => setOpen(false)}>
          <Scanned key={text} text={text} />
          {line}
        </Dialog>
      )}
    </div>
  )
}
