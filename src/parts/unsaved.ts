// Asks before one leaves a page on which something was typed and not saved.
import { useLayoutEffect } from 'react'
import { useHashLocation } from '../state/location.ts'
import { type Pair, t } from '../text/language.ts'
import { confirm } from '../ui/confirm.tsx'

const TEXT = {
  title: ['Leave without saving?', '不保存就离开？'],
  text: ['What you changed here is lost.', '您在此处所做的更改将丢失。'],
  leave: ['Leave', '离开']
} as const satisfies Record<string, Pair>

/** As long as `changed`, links, the browser's own buttons and a reload ask first. `navigate`, by which one leaves after saving, does not. */
export function useUnsaved(changed: boolean): void {
  const [path] = useHashLocation()
  useLayoutEffect(() => {
    if (!changed) return
    const here = location.href
    async function hashChange(event: Event): Promise<void> {
      if (location.href === here) return
      // Nobody is told that it changed: the page stays, under its own address, on top of the one that was asked for.
      event.stopImmediatePropagation()
      history.pushState(null, '', here)
      if (!(await confirm({ title: t(TEXT.title), text: t(TEXT.text), verb: t(TEXT.leave), danger: true }))) return
      stop()
      history.back()
    }
    // The browser asks in its own words.
    const unload = (event: Event) => event.preventDefault()
    function stop(): void {
      removeEventListener('hashchange', hashChange, true)
      removeEventListener('beforeunload', unload)
    }
    addEventListener('hashchange', hashChange, true)
    addEventListener('beforeunload', unload)
    return stop
  }, [changed, path])
}
