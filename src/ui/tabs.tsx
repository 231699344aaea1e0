export interface Tab {
  title: string
  /** A link of `paths.ts`. */
  to: string
  current: boolean
}

/** The parts of a screen, each with an address of its own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ title, to, current }) => (
        <a key={to} href={`#${to}`} aria-current={current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
