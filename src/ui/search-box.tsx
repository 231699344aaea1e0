import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Milliseconds without a key after which the search begins. */
const PAUSE = 250

export interface SearchBoxProps {
  label: string
  value: string
  /** Told after a pause in typing, and at once on Enter. */
  onSearch: (text: string) => void
  /** Waits for Enter. */
  patient?: boolean
}

export function SearchBox({ label, value, onSearch, patient }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const search = (text: string) => {
    told.current = text
    if (text !== value) onSearch(text)
  }
  // Set from elsewhere: a link, 'show all'. At once: later it would take the place of what was typed since.
  useLayoutEffect(() => {
    if (value !== told.current) setTyped(value)
    told.current = value
  }, [value])
  useEffect(() => {
    if (patient || typed === told.current) return
    const timer = setTimeout(search, PAUSE, typed)
    return () => clearTimeout(timer)
  })
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') search(typed)
      }}
    />
  )
}
