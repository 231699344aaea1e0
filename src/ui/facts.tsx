import type { ReactNode } from 'react'

/** What it is called, and what it is. */
export type FactLine = readonly [name: string, value: ReactNode]

/** Names with their values. Those without one are left out. */
export function Facts({ lines }: { lines: readonly FactLine[] }) {
  return (
    <dl className="facts">
      {lines.flatMap(([name, value]) =>
        value ? [<dt key={name}>{name}</dt>, <dd key={`= ${name}`}>{value}</dd>] : []
      )}
    </dl>
  )
}
