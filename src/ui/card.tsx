import type { ReactNode } from 'react'

interface CardProps {
  title: string
  /** Shown beside the title, for instance the object that the card is about. */
  note?: string
  /** At the end of the title line: a link or a switch. */
  action?: ReactNode
  /** Spans the full width of the grid. */
  fullWidth?: boolean
  children: ReactNode
}

/** A framed section of a page with its heading. */
export function Card({ title, note, action, fullWidth, children }: CardProps) {
  return (
    <section className={`card ${fullWidth ? 'span' : ''}`}>
      <header>
        <h2>{title}</h2>
        {note && <span className="muted cut">{note}</span>}
        {action}
      </header>
      <div className="body">{children}</div>
    </section>
  )
}
