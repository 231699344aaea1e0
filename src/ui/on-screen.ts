import { useEffect, useState } from 'react'

/** Whether an element is on screen; always where the platform cannot tell. */
export function useOnScreen(frame: { current: Element | null }): boolean {
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    if (!frame.current || typeof IntersectionObserver === 'undefined') return setVisible(true)
    const observer = new IntersectionObserver((entries) => setVisible(entries.at(-1)?.isIntersecting === true))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [frame])
  return visible
}
