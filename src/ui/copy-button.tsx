import { useState } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
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
