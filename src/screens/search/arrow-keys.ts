import { type RefObject, useEffect } from 'react'

/**
 * Moves the focus through the links of the results with the arrow keys, from the search box into the results and back.
 */
export function useArrowKeys(results: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const box = document.querySelector<HTMLElement>('header input[type=search]')
      const links = [...(results.current?.querySelectorAll<HTMLElement>('li .cut > a') ?? [])]
      const current = document.activeElement as HTMLElement | null
      const index = current ? links.indexOf(current) : -1
      if (!step || (index < 0 && (current !== box || step < 0))) return
      event.preventDefault()
      ;(links[index + step] ?? (index === 0 ? box : undefined))?.focus()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
}
