import { useState } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { QrCode } from './qr-code.tsx'
import * as TEXT from './text.ts'

/** Milliseconds for which it says that it copied. */
const SAID = 1500

/** The clipboard is closed to pages on plain HTTP, which is how most hubs are reached; copying a selection is not. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  const before = document.activeElement as HTMLElement | null
  ;(before?.closest('dialog') ?? document.body).append(field)
  field.focus()
  field.select()
  document.execCommand('copy')
  field.remove()
  before?.focus()
}

/** @param text what is copied. @param label what it is, 'Copy address' */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [said, setSaid] = useState(false)
  async function press(): Promise<void> {
    await copy(text)
    setSaid(true)
    setTimeout(setSaid, SAID, false)
  }
  return (
    <Button
      bare
      icon={said ? 'check' : 'copy'}
      label={said ? t(TEXT.copied) : (label ?? t(TEXT.copy))}
      onClick={press}
    />
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
      {scanned && <Button bare icon="qr" label={t(TEXT.qr)} onClick={() => setOpen(true)} />}
      {open && (
        <Dialog title={t(TEXT.qr)} cancel={t(TEXT.close)} onClose={() => setOpen(false)}>
          <QrCode text={text} />
          {line}
        </Dialog>
      )}
    </div>
  )
}
