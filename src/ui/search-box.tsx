import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Milliseconds without a keystroke after which the search starts. */
const DEBOUNCE = 250

interface SearchBoxProps {
  label: string
  value: string
  /** Called after a pause in typing, and immediately on Enter. */
  onSearch: (text: string) => void
  /** Searches on Enter only. */
  onEnterOnly?: boolean
}

export function SearchBox({ label, value, onSearch, onEnterOnly }: SearchBoxProps) {
  const [input, setInput] = useState(value)
  const lastSearch = useRef(value)
  const search = (text: string) => {
    lastSearch.current = text
    if (text !== value) onSearch(text)
  }
  // Takes over a value that was set elsewhere, for instance by a link. A layout effect, because a later one would
  // overwrite what the user has typed since.
  useLayoutEffect(() => {
    if (value !== lastSearch.current) setInput(value)
    lastSearch.current = value
  }, [value])
  useEffect(() => {
    if (onEnterOnly || input === lastSearch.current) return
    const timer = setTimeout(search, DEBOUNCE, input)
    return () => clearTimeout(timer)
  })
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={input}
      onInput={(event) => setInput(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // A form around it is not sent.
        event.preventDefault()
        search(input)
      }}
    />
  )
}
