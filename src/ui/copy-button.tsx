import { useState } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import * as TEXT from './text.ts'

/** Milliseconds for which the button confirms that it has copied. */
const CONFIRMATION_DURATION = 1500

/**
 * Copies a text. Browsers offer `navigator.clipboard` on HTTPS only, and most hubs are reached over plain HTTP: there
 * the text is copied from a selection.
 */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const textarea = document.createElement('textarea')
  textarea.value = text
  const previousFocus = document.activeElement as HTMLElement | null
  // Everything outside an open dialog is inert.
  ;(previousFocus?.closest('dialog') ?? document.body).append(textarea)
  textarea.focus()
  textarea.select()
  document.execCommand('copy')
  textarea.remove()
  previousFocus?.focus()
}

interface CopyButtonProps {
  /** A function is called when the text is copied. */
  text: string | (() => string)
  /** The default is 'Copy'. */
  label?: string
  /** Shows the label beside the icon. */
  labelled?: boolean
}

export function CopyButton({ text, label, labelled }: CopyButtonProps) {
  const [hasCopied, setHasCopied] = useState(false)
  async function handleClick(): Promise<void> {
    await copy(typeof text === 'string' ? text : text())
    setHasCopied(true)
    setTimeout(setHasCopied, CONFIRMATION_DURATION, false)
  }
  return (
    <Button
      iconOnly={!labelled}
      icon={hasCopied ? 'check' : 'copy'}
      label={hasCopied ? t(TEXT.copied) : (label ?? t(TEXT.copy))}
      onClick={handleClick}
    />
  )
}
