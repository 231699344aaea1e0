import type { ReactNode } from 'react'

interface CardProps {
  title: string
  /** Beside the title, for instance what the card is about. */
  note?: string
  /** At the end of the title's line: a link, a switch. */
  more?: ReactNode
  /** Over the whole width. */
  span?: boolean
  children: ReactNode
}

/** A framed part of a page with its heading. */
export function Card({ title, note, more, span, children }: CardProps) {
  return (
    <section className={`card ${span ? 'span' : ''}`}>
      <header>
        <h2>{title}</h2>
        {note && <span className="muted cut">{note}</span>}
        {more}
      </header>
      <div className="body">{children}</div>
    </section>
  )
}
