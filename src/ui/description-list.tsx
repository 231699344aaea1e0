import type { ReactNode } from 'react'

export type DescriptionItem = readonly [name: string, value: ReactNode]

/** Names with their values. Items without a value are left out. */
export function DescriptionList({ items }: { items: readonly DescriptionItem[] }) {
  return (
    <dl className="facts">
      {items.flatMap(([name, value]) =>
        value ? [<dt key={name}>{name}</dt>, <dd key={`= ${name}`}>{value}</dd>] : []
      )}
    </dl>
  )
}
