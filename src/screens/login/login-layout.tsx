import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../../ui/icon.tsx'

interface AloneProps {
  title: string
  /** The choice of language. */
  language: ReactNode
  onSubmit: (event: { preventDefault(): void; currentTarget: EventTarget | null }) => void
  /** What went wrong; said at once by a screen reader. */
  fault: string
  children: ReactNode
}

/** A form that has the whole window. */
export function Alone({ title, language, onSubmit, fault, children }: AloneProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    document.title = `${title} · Headend`
  }, [title])
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return (
    <main className="alone">
      <form className="card" noValidate onSubmit={onSubmit} ref={form}>
        <h1>{title}</h1>
        {children}
        <p role="alert" className="fault">
          {fault && <Icon name="warning" />}
          {fault}
        </p>
        {language}
      </form>
    </main>
  )
}
