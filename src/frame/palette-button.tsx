import { useEffect } from 'react'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { $openDialogs } from '../ui/dialog/dialog.tsx'
import { openDialog } from '../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../ui/lazy/lazy.tsx'
import * as TEXT from './text.ts'

const Palette = lazyDialog(() => import('./palette.tsx').then((module) => module.Palette))

const openPalette = () => void openDialog(Palette)

/** Opens the palette with Ctrl-K or Cmd-K, and with "/" unless it is typed into a field or a page uses it. */
function handleKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event
  const isChord = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey
  const isSlash = key === '/' && !(target as Element).closest('input, select, textarea')
  if (defaultPrevented || !(isChord || isSlash)) return
  event.preventDefault()
  if ($openDialogs.get().length === 0) openPalette()
}

/** Opens the palette. Its tooltip names the keys that do the same. */
export function PaletteButton() {
  useEffect(() => {
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
  const label = t(TEXT.palette)
  return <Button iconOnly icon="search" label={label} tooltip={`${label} (Ctrl-K, /)`} onClick={openPalette} />
}
