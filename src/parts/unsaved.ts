// Asks before one leaves a page on which something was typed and not saved.
import { useLayoutEffect } from 'react'
import { holdHere } from '../state/location.ts'
import { type Pair, t } from '../text/language.ts'
import { confirm } from '../ui/confirm.tsx'

const TEXT = {
  title: ['Leave without saving?', '不保存就离开？'],
  text: ['What you changed here is lost.', '您在此处所做的更改将丢失。'],
  leave: ['Leave', '离开']
} as const satisfies Record<string, Pair>

/** As long as `changed`, links, the browser's own buttons and a reload ask first. `navigate`, by which one leaves after saving, does not. */
export function useUnsaved(changed: boolean): void {
  useLayoutEffect(() => {
    if (!changed) return
    const here = location.href
    async function ask(): Promise<void> {
      if (!(await confirm({ title: t(TEXT.title), text: t(TEXT.text), verb: t(TEXT.leave), danger: true }))) return
      stop()
      history.back()
    }
    const release = holdHere(() => {
      if (location.href === here) return false
      // The page stays, under its own address, on top of the one that was asked for.
      history.pushState(null, '', here)
      void ask()
      return true
    })
    // The browser asks in its own words.
    const unload = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', unload)
    function stop(): void {
      release()
      removeEventListener('beforeunload', unload)
    }
    return stop
  }, [changed])
}
