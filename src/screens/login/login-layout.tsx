import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../../ui/icon.tsx'

interface LoginLayoutProps {
  title: string
  /** The language menu. */
  language: ReactNode
  onSubmit: (event: { preventDefault(): void; currentTarget: EventTarget | null }) => void
  /** The error message, announced by screen readers. */
  error: string
  children: ReactNode
}

/** A form that fills the window. */
export function LoginLayout({ title, language, onSubmit, error, children }: LoginLayoutProps) {
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
          {error && <Icon name="warning" />}
          {error}
        </p>
        {language}
      </form>
    </main>
  )
}
