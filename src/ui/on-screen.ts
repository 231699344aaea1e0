import { useEffect, useState } from 'react'

/** Whether an element is on screen. Always true in browsers without `IntersectionObserver`. */
export function useOnScreen(element: { current: Element | null }): boolean {
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver === 'undefined') return setVisible(true)
    const observer = new IntersectionObserver((entries) => setVisible(entries.at(-1)?.isIntersecting === true))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return visible
}
