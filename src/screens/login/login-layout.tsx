import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../../ui/icon.tsx'

interface AloneProps {
  title: string
  /** The language menu. */
  language: ReactNode
  onSubmit: (event: { preventDefault(): void; currentTarget: EventTarget | null }) => void
  /** The error message, announced by screen readers. */
  fault: string
  children: ReactNode
}

/** A form that fills the window. */
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
